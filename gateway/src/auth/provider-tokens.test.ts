// The shapes of access tokens and ID tokens as the providers document them, and as Keycloak, Dex and Hydra really issue them,
// with the settings of the pages in docs/identity-providers.
import { readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { pageSettings } from '../../../test/providers/page-settings.ts'
import { authenticatedWorld, BOTH } from '../testing/authenticated.ts'
import { AUDIENCE, ISSUER, JWKS, tokenWith } from '../testing/issuer.ts'

interface Provider {
  name: string
  /** Members of its entry in `auth_issuers`. */
  entry: object
  /** Without `iss`, `exp` and `iat`, which are those of the test. */
  access: { header?: object; claims: object }
  /** @default its ID tokens cannot be told from access tokens */
  id?: { header?: object; claims: Record<string, unknown> }
}

const NONE = { aud: undefined, scope: undefined }
const API = '1f4cbcb2-98f8-4f7c-8b8f-1ad0ae1e9c11'

/** The value of `auth_issuers` without the issuer, as the page has it for its nth gateway. */
function entryOf(page: string, texts: Record<string, string> = {}, nth = 0): object {
  const { auth_issuers: text = '' } = pageSettings(page, texts).variables[nth] ?? {}
  if (!text.startsWith('[')) return {}
  const [entry] = JSON.parse(text) as [{ issuer: string }]
  const { issuer: _, ...rest } = entry
  return rest
}

const PROVIDERS: Provider[] = [
  {
    // https://learn.microsoft.com/entra/identity-platform/access-token-claims-reference
    name: 'Entra v2',
    entry: entryOf('microsoft-entra', { 'API-ID': API }),
    access: {
      header: { typ: 'JWT' },
      claims: {
        ...NONE,
        aud: API,
        azp: '6f2e',
        azpacr: '0',
        name: 'Ada Lovelace',
        oid: '690222be-ff1a-4d56-abd1-7e4f7d38e474',
        preferred_username: 'ada@contoso.example',
        rh: 'I',
        scp: 'tools',
        tid: '72f988bf',
        uti: 'x',
        ver: '2.0',
      },
    },
    id: {
      header: { typ: 'JWT' },
      claims: {
        ...NONE,
        aud: API,
        name: 'Ada Lovelace',
        nonce: '678910',
        oid: '690222be-ff1a-4d56-abd1-7e4f7d38e474',
        preferred_username: 'ada@contoso.example',
        rh: 'I',
        tid: '72f988bf',
        uti: 'x',
        ver: '2.0',
      },
    },
  },
  {
    name: 'Entra v1',
    entry: entryOf('microsoft-entra', {}, 1),
    access: {
      header: { typ: 'JWT', x5t: 'x' },
      claims: {
        ...NONE,
        aud: 'api://ftl',
        acr: '1',
        amr: ['pwd'],
        appid: '6f2e',
        appidacr: '0',
        scp: 'tools',
        upn: 'ada@contoso.example',
        ver: '1.0',
      },
    },
  },
  {
    // https://developer.okta.com/docs/api/openapi/okta-oauth/guides/overview/
    name: 'Okta',
    entry: entryOf('okta'),
    access: {
      header: { typ: undefined },
      claims: {
        ...NONE,
        aud: 'api://default',
        ver: 1,
        jti: 'AT.0mP4',
        cid: '6f2e',
        uid: '00uid4',
        scp: ['tools'],
        auth_time: 1,
        sub: 'ada@contoso.example',
      },
    },
    id: {
      header: { typ: undefined },
      claims: {
        ...NONE,
        aud: 'api://default',
        ver: 1,
        jti: 'ID.x',
        amr: ['pwd'],
        idp: '00o1',
        nonce: 'x',
        auth_time: 1,
        at_hash: 'preview_at_hash',
      },
    },
  },
  {
    // https://auth0.com/docs/secure/tokens/access-tokens/access-token-profiles
    name: 'Auth0',
    entry: entryOf('auth0'),
    access: {
      header: { typ: 'JWT' },
      claims: {
        aud: [AUDIENCE, 'https://my-domain.auth0.com/userinfo'],
        azp: '6f2e',
        scope: 'openid profile tools',
        sub: 'auth0|123456',
      },
    },
    id: {
      header: { typ: 'JWT' },
      claims: { ...NONE, aud: AUDIENCE, nonce: 'x', sid: 'x', sub: 'auth0|123456' },
    },
  },
  {
    // The profile RFC 9068 of the same page.
    name: 'Auth0 with RFC 9068',
    entry: entryOf('auth0'),
    access: {
      claims: {
        aud: [AUDIENCE, 'https://my-domain.auth0.com/userinfo'],
        client_id: '6f2e',
        jti: '73WakrfVbNJBaAmhQtEeDv',
        scope: 'openid profile tools',
        sub: 'auth0|123456',
      },
    },
  },
  {
    // https://docs.aws.amazon.com/cognito/latest/developerguide/amazon-cognito-user-pools-using-the-access-token.html
    name: 'Amazon Cognito',
    entry: entryOf('amazon-cognito', { 'CLIENT-ID': '6f2e' }),
    access: {
      header: { typ: undefined },
      claims: {
        ...NONE,
        'cognito:groups': ['staff'],
        client_id: '6f2e',
        origin_jti: 'x',
        event_id: 'x',
        token_use: 'access',
        scope: 'tools',
        auth_time: 1,
        jti: 'x',
        username: 'ada@contoso.example',
      },
    },
    id: {
      header: { typ: undefined },
      claims: { ...NONE, aud: '6f2e', token_use: 'id', 'cognito:username': 'ada', azp: '6f2e' },
    },
  },
  {
    // https://workos.com/docs/reference/workos-connect/token
    name: 'WorkOS',
    entry: entryOf('workos', { 'CLIENT-ID': 'client_01H' }),
    access: {
      header: { typ: 'JWT' },
      claims: {
        ...NONE,
        aud: 'client_01H',
        org_id: 'org_1',
        sid: 'app_consent_1',
        jti: 'x',
        scope: 'tools',
      },
    },
  },
  {
    name: 'Keycloak 26 with the scope of its page',
    entry: entryOf('keycloak'),
    access: {
      header: { typ: 'JWT' },
      claims: {
        aud: [AUDIENCE, 'account'],
        typ: 'Bearer',
        azp: 'ftl',
        sid: 'x',
        acr: '1',
        scope: 'mcp-tools',
        groups: ['operators'],
        preferred_username: 'ada@contoso.example',
      },
    },
    id: {
      header: { typ: 'JWT' },
      claims: { ...NONE, aud: AUDIENCE, typ: 'ID', azp: AUDIENCE, at_hash: 'x' },
    },
  },
  {
    name: 'Keycloak 26',
    entry: { audiences: ['account'], clients: ['6f2e'] },
    access: {
      header: { typ: 'JWT' },
      claims: {
        aud: 'account',
        typ: 'Bearer',
        azp: '6f2e',
        sid: 'x',
        acr: '1',
        scope: 'profile tools',
        preferred_username: 'ada@contoso.example',
      },
    },
    id: {
      header: { typ: 'JWT' },
      claims: { ...NONE, aud: 'account', typ: 'ID', azp: '6f2e', at_hash: 'x' },
    },
  },
  {
    name: 'Keycloak before 24, with a nonce in access tokens',
    entry: { audiences: ['account'] },
    access: {
      header: { typ: 'JWT' },
      claims: { aud: 'account', typ: 'Bearer', nonce: 'x', azp: '6f2e', scope: 'tools' },
    },
    id: { header: { typ: 'JWT' }, claims: { ...NONE, aud: 'account', typ: 'ID', nonce: 'x' } },
  },
  {
    name: 'Dex 2.45',
    entry: entryOf('dex'),
    access: {
      header: { typ: undefined },
      claims: { ...NONE, aud: 'ftl', at_hash: 'x', nonce: 'x', sub: 'CgNhZGE' },
    },
    id: {
      header: { typ: undefined },
      claims: { ...NONE, aud: 'ftl', at_hash: 'x', c_hash: 'y', nonce: 'x', sub: 'CgNhZGE' },
    },
  },
  {
    name: 'Ory Hydra with jwt',
    entry: entryOf('ory-hydra'),
    access: {
      header: { typ: 'JWT' },
      claims: { ...NONE, aud: [AUDIENCE], client_id: 'ftl', ext: {}, nbf: 1, scp: ['tools'] },
    },
    id: { header: { typ: 'JWT' }, claims: { ...NONE, aud: ['ftl'], at_hash: 'x', nonce: 'x' } },
  },
  {
    name: 'Ory Hydra with jwt, and without an audience',
    entry: { clients: ['6f2e'] },
    access: {
      header: { typ: 'JWT' },
      claims: { ...NONE, aud: [], client_id: '6f2e', ext: {}, nbf: 1, scp: ['tools'] },
    },
    id: { header: { typ: 'JWT' }, claims: { ...NONE, aud: ['6f2e'], at_hash: 'x', nonce: 'x' } },
  },
]

const worldOf = (entry: object, more: Record<string, string> = {}) =>
  authenticatedWorld({
    ...BOTH,
    auth_issuers: JSON.stringify([{ issuer: ISSUER, jwks: JWKS, ...entry }]),
    ...more,
  })

// OpenID Connect Back-Channel Logout 1.0, section 2.4: the client gets it, and typ of its header is only recommended.
it('a logout token is refused, although it has no claim of an ID token', async () => {
  const events = { 'http://schemas.openid.net/event/backchannel-logout': {} }
  const world = worldOf({ audiences: ['6f2e'], like_id_tokens: true })
  const status = async (claims: object) =>
    (
      await world.get(
        '/whoami',
        tokenWith({ header: { typ: 'JWT' }, claims: { aud: '6f2e', ...claims } }),
      )
    ).status
  expect([await status({ sid: 's' }), await status({ sid: 's', events })]).toEqual([200, 401])
})

describe.each(PROVIDERS)('a token of $name', ({ entry, access, id }) => {
  const token = tokenWith({ alg: 'RS256', ...access })

  it('is accepted with the entry of its recipe', async () => {
    expect((await worldOf(entry).get('/whoami', token)).status).toBe(200)
  })

  it('is refused without that entry', async () => {
    // Members that name only what clients request, or a name, change nothing of that.
    if (!('audiences' in entry) && !('clients' in entry)) return
    expect((await worldOf({}).get('/whoami', token)).status).toBe(401)
  })

  it('is refused for another audience and client', async () => {
    const changed = { aud: 'another', azp: 'x', client_id: 'x', cid: 'x', appid: 'x' }
    const other = tokenWith({ ...access, claims: { ...access.claims, ...changed } })
    expect((await worldOf(entry).get('/whoami', other)).status).toBe(401)
  })

  it('is not the ID token', async () => {
    if (!id) return
    // Also where its audience and client would be accepted.
    const open = { ...entry, clients: undefined, audiences: [id.claims.aud].flat() }
    const response = await worldOf(open).get('/whoami', tokenWith({ alg: 'RS256', ...id }))
    expect(response.status).toBe(401)
    expect(response.headers.get('www-authenticate')).toContain('not an access token')
  })
})

// https://developers.google.com/identity/openid-connect/openid-connect
it('a token of Google is refused, whatever is expected of it', async () => {
  const google = { aud: 'ID.apps.googleusercontent.com', azp: 'ID.apps.googleusercontent.com' }
  const id = tokenWith({
    alg: 'RS256',
    header: { typ: 'JWT' },
    claims: { ...NONE, ...google, at_hash: 'HK6E_P6Dh8Y93mRNtsDB1Q', hd: 'example.com' },
  })
  const world = worldOf({ audiences: [google.aud] })
  for (const token of [id, `ya29.${'a0AfH6SM'.repeat(16)}`])
    expect((await world.get('/whoami', token)).status).toBe(401)
})

const PAGES = readdirSync(new URL('../../../docs/identity-providers', import.meta.url)).map(
  (name) => name.replace(/\.md$/, ''),
)

it.each(PAGES)('the gateway takes the settings of the page %s', async (page) => {
  const { variables, secrets } = pageSettings(page)
  // Google's tokens are for the component `auth`.
  expect(variables.length > 0).toBe(page !== 'google')
  for (const each of variables) {
    const world = authenticatedWorld({ ...each, ...secrets })
    const response = await world.get('/whoami')
    expect([response.status, each]).toEqual([401, each])
    expect(response.headers.get('www-authenticate')).not.toContain('error=')
  }
})

describe('an issuer with its own audiences', () => {
  const entry = { audiences: ['api://ftl'] }
  const token = (aud: unknown, more: object = {}) => tokenWith({ claims: { aud, ...more } })

  it('does not accept the address of the server, or another spelling', async () => {
    const status = async (aud: unknown) => (await worldOf(entry).get('/whoami', token(aud))).status
    expect(await status(['x', 'api://ftl'])).toBe(200)
    const others = [AUDIENCE, 'API://ftl', 'api://ftl/', ['api://ftl', 7], [], undefined, null]
    for (const aud of others) expect([await status(aud), aud]).toEqual([401, aud])
  })

  it('changes nothing for another issuer', async () => {
    const issuers = [
      { issuer: 'https://other.example', ...entry },
      { issuer: ISSUER, jwks: JWKS },
    ]
    const world = authenticatedWorld({ ...BOTH, auth_issuers: JSON.stringify(issuers) })
    expect((await world.get('/whoami', token('api://ftl'))).status).toBe(401)
    expect((await world.get('/whoami', token(AUDIENCE))).status).toBe(200)
  })

  it('that names clients refuses a token of another one, and one that names none', async () => {
    const world = worldOf({ clients: ['app'] })
    const status = async (claims: object) =>
      (await world.get('/whoami', tokenWith({ claims }))).status
    expect(await status({ client_id: 'app' })).toBe(200)
    expect(await status({ aud: undefined, azp: 'app' })).toBe(200)
    expect(await status({ aud: undefined })).toBe(401)
    expect(await status({ client_id: 'other' })).toBe(401)
    expect(await status({ aud: 'https://other.example/mcp', client_id: 'app' })).toBe(401)
    // The first name counts: a second claim must not lend a client to a token.
    expect(await status({ client_id: 'other', azp: 'app' })).toBe(401)
  })
})

it.each(['refresh', 'Offline', 'LOGOUT', 'Serialized-ID', 'id_token', 'refresh_token'])(
  'a token of the kind %s is refused, whichever claim says so',
  async (kind) => {
    for (const name of ['typ', 'token_use', 'token_type']) {
      // Also if the issuer calls it an access token elsewhere.
      const token = tokenWith({ claims: { [name]: kind } })
      expect([(await worldOf({}).get('/whoami', token)).status, name]).toEqual([401, name])
    }
  },
)

describe('the name that people know', () => {
  const claims = { preferred_username: 'ada@contoso.example', email: 'a@x.example' }

  it('is in whoami, by the claim of the operator', async () => {
    const nameWith = async (entry: object, more: object = {}) => {
      const response = await worldOf(entry).get(
        '/whoami',
        tokenWith({ claims: { ...claims, ...more } }),
      )
      return ((await response.json()) as { name?: string }).name
    }
    expect(await nameWith({})).toBe('ada@contoso.example')
    expect(await nameWith({ name_claim: 'email' })).toBe('a@x.example')
    expect(await nameWith({ name_claim: 'constructor' })).toBeUndefined()
    expect(await nameWith({}, { preferred_username: 7 })).toBeUndefined()
    expect(await nameWith({}, { preferred_username: 'x'.repeat(300) })).toBeUndefined()
  })

  it('can be denied', async () => {
    const world = worldOf({}, { auth_deny: 'name:ada@contoso.example' })
    expect((await world.get('/whoami', tokenWith({ claims }))).status).toBe(401)
    const other = { preferred_username: 'bob@contoso.example' }
    expect((await world.get('/whoami', tokenWith({ claims: other }))).status).toBe(200)
  })
})

it('scopes can be advertised without being required', async () => {
  const world = worldOf({ scopes_supported: ['openid', 'groups'] }, { auth_scopes: 'tools' })
  const challenge = (await world.get('/whoami')).headers.get('www-authenticate')
  expect(challenge).toContain('scope="tools openid groups"')
  const metadata = await world.get('/.well-known/oauth-protected-resource')
  expect(await metadata.json()).toMatchObject({ scopes_supported: ['tools', 'openid', 'groups'] })
  expect((await world.get('/whoami', tokenWith())).status).toBe(200)
  expect(
    (await world.get('/whoami', tokenWith({ claims: { scope: 'openid groups' } }))).status,
  ).toBe(403)
})
