/** What the metadata and keys of an issuer say about sign-ins that will fail. */
import { ALGORITHMS, isOfComponent, type Issuer, metadataUrls, publicJwk } from 'ftl-gateway/auth'
import { visible } from '../terminal/visible-text.ts'
import { type Finding, ok, problem, warning } from './finding.ts'
import { recipeFor } from './identity-provider.ts'

const PATIENCE_MS = 5_000
const LONGEST = 1024 * 1024

type Document = Readonly<Record<string, unknown>>

interface Answer {
  document: Document
  /** Whether pages of the origin may read it. */
  isForPage: boolean
}

/**
 * @param audience of the gateway; empty if it is derived from requests.
 * @param hasPage whether users sign in on the page of the application.
 */
export async function checkIssuer(
  issuer: Issuer,
  audience: string,
  hasPage: boolean,
): Promise<Finding[]> {
  const about = `issuer ${issuer.issuer}`
  // It is not served yet when `ftl up` asks.
  if (issuer.jwksUri !== undefined && isOfComponent(issuer.jwksUri)) {
    return [ok(about, `is the component "${new URL(issuer.jwksUri).hostname.split('.')[0]}"`)]
  }
  const origin = URL.canParse(audience) ? new URL(audience).origin : 'http://127.0.0.1:3000'
  const found = await metadataOf(issuer.issuer, origin)
  if (typeof found === 'string') {
    return issuer.keys || issuer.jwksUri
      ? [warning(about, `${found}, so users cannot sign in`, CHECK)]
      : [problem(about, found, CHECK)]
  }
  const { document } = found
  const named = document['issuer']
  if (named !== issuer.issuer) {
    const text = typeof named === 'string' ? visible(named).slice(0, 300) : 'none'
    const slash = typeof named === 'string' && trimmed(named) === trimmed(issuer.issuer)
    return [
      problem(
        about,
        `its metadata names the issuer ${text}${slash ? ': only the slash at the end differs' : ''}`,
        `write the same in auth_issuers, so that tokens with this "iss" are accepted`,
      ),
    ]
  }
  const findings = [
    ...(await keyFindings(issuer, document, about, origin)),
    ...signInFindings(found, about, hasPage),
    ...recipeFor(issuer, document, about),
  ]
  return findings.length > 0 ? findings : [ok(about, 'its metadata and keys can be used')]
}

const CHECK = 'check the address in auth_issuers, and that this machine reaches it'
const trimmed = (text: string) => text.replace(/\/+$/, '')

function signInFindings(
  { document, isForPage }: Answer,
  about: string,
  hasPage: boolean,
): Finding[] {
  const findings: Finding[] = []
  const methods = document['code_challenge_methods_supported']
  if (!(Array.isArray(methods) && methods.includes('S256'))) {
    findings.push(
      warning(
        about,
        'does not advertise PKCE with S256, so MCP clients refuse to sign in',
        'switch it on at the authorization server; programs can still use client credentials',
      ),
    )
  }
  if (
    document['registration_endpoint'] === undefined &&
    document['client_id_metadata_document_supported'] !== true
  ) {
    findings.push(
      warning(
        about,
        'does not let clients register themselves',
        'register clients there: ftl login --client-id, and auth_client_id for the page',
      ),
    )
  }
  if (hasPage && !isForPage) {
    findings.push(
      warning(
        about,
        'does not allow requests of pages (CORS), so the page cannot sign users in',
        'allow the origin of the gateway at the authorization server (web origins)',
      ),
    )
  }
  return findings
}

async function keyFindings(
  { keys, jwksUri }: Issuer,
  document: Document,
  about: string,
  origin: string,
): Promise<Finding[]> {
  if (keys) return []
  const address = jwksUri ?? document['jwks_uri']
  if (typeof address !== 'string' || !URL.canParse(address)) {
    return [problem(about, 'its metadata has no "jwks_uri"', 'give the address in auth_issuers')]
  }
  const set = await documentAt(address, origin)
  if (typeof set === 'string' || set === undefined) {
    return [problem(about, `its keys at ${visible(address)} cannot be read`, CHECK)]
  }
  const list = set.document['keys']
  const all = Array.isArray(list) ? (list as unknown[]) : []
  const isUsable = (key: unknown) =>
    typeof key === 'object' && key !== null && publicJwk(key as Record<string, unknown>)
  if (all.some(isUsable)) return []
  return [
    problem(
      about,
      `none of its ${all.length} keys is for ${ALGORITHMS.join(', ')}`,
      'let it sign access tokens with one of these; RS256 is the most common one',
    ),
  ]
}

/** @returns what is wrong, if it is a string. */
async function metadataOf(issuer: string, origin: string): Promise<Answer | string> {
  let problem = 'has no metadata (RFC 8414, OpenID)'
  for (const address of metadataUrls(issuer)) {
    const found = await documentAt(address, origin)
    if (typeof found === 'string') problem = found
    else if (found) return found
  }
  return problem
}

/** @returns `undefined` if the server does not have it; what is wrong, if it is a string. */
async function documentAt(address: string, origin: string): Promise<Answer | string | undefined> {
  try {
    const response = await fetch(address, {
      headers: { accept: 'application/json', origin },
      redirect: 'manual',
      signal: AbortSignal.timeout(PATIENCE_MS),
    })
    const allowed = response.headers.get('access-control-allow-origin')
    const text = (await response.text()).slice(0, LONGEST)
    if (response.status !== 200) return undefined
    const document: unknown = JSON.parse(text)
    if (typeof document !== 'object' || document === null) return undefined
    return { document: document as Document, isForPage: allowed === '*' || allowed === origin }
  } catch (error) {
    if (error instanceof SyntaxError) return `${address} is not JSON`
    return `${new URL(address).host} cannot be reached`
  }
}
