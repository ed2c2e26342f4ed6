/** The line of the recipe for a known provider, where its tokens would be refused without it. */
import type { Issuer } from 'ftl-gateway/auth'
import { type Finding, warning } from './finding.ts'

type Document = Readonly<Record<string, unknown>>

interface Recipe {
  name: string
  /** Page in docs/identity-providers. */
  page: string
  is: (issuer: URL, metadata: Document) => boolean
  /** What is not as it has to be; `undefined` if nothing is. */
  lacks: (issuer: Issuer) => string | undefined
}

const noAudience =
  (text: string): Recipe['lacks'] =>
  ({ audiences, clients }) =>
    audiences || clients ? undefined : text

const RECIPES: readonly Recipe[] = [
  {
    name: 'Keycloak',
    page: 'keycloak',
    is: ({ pathname }) => /\/realms\/[^/]+$/.test(pathname),
    lacks: noAudience(
      'puts "account" into aud unless a client scope has an audience mapper with the value of auth_audience',
    ),
  },
  {
    name: 'Dex',
    page: 'dex',
    is: (_, { token_endpoint: token, device_authorization_endpoint: device }) =>
      String(token).endsWith('/token') && /\/device\/code$/.test(String(device)),
    lacks: ({ audiences, likeIdTokens }) =>
      audiences && likeIdTokens
        ? undefined
        : 'puts the client id into aud, and its access tokens look like ID tokens: set audiences and like_id_tokens in auth_issuers',
  },
  {
    name: 'Microsoft Entra',
    page: 'microsoft-entra',
    is: ({ hostname }) => /^(login\.microsoftonline\.|sts\.windows\.net)/.test(hostname),
    lacks: noAudience('puts the id of the API into aud: set audiences in auth_issuers'),
  },
  {
    name: 'Okta',
    page: 'okta',
    is: ({ hostname }) => /\.(okta|oktapreview|okta-emea)\.com$/.test(hostname),
    lacks: noAudience('puts api://default into aud: set audiences in auth_issuers'),
  },
  {
    name: 'Amazon Cognito',
    page: 'amazon-cognito',
    is: ({ hostname }) => /^cognito-idp\./.test(hostname),
    lacks: noAudience('puts no aud into access tokens: set clients in auth_issuers'),
  },
  {
    name: 'Google',
    page: 'google',
    is: ({ hostname }) => hostname === 'accounts.google.com',
    lacks: () => 'issues opaque access tokens, which the gateway cannot read',
  },
  {
    name: 'WorkOS',
    page: 'workos',
    is: ({ hostname }) => /(^|\.)(workos\.com|authkit\.app)$/.test(hostname),
    lacks: noAudience('puts the id of the client into aud: set audiences in auth_issuers'),
  },
]

export function recipeFor(issuer: Issuer, metadata: Document, about: string): Finding[] {
  const url = new URL(issuer.issuer)
  const recipe = RECIPES.find(({ is }) => is(url, metadata))
  const lacks = recipe?.lacks(issuer)
  if (!recipe || lacks === undefined) return []
  const remedy = `docs/identity-providers/${recipe.page}.md has the settings`
  return [warning(about, `this is ${recipe.name}, which ${lacks}`, remedy)]
}
