// Who is refused, for every kind of caller and every rule: the same decision is made about each of them.
import { describe, expect, it } from 'vitest'
import { authenticatedWorld, BOTH } from '../testing/authenticated.ts'
import { echoRun } from '../testing/echo-run.ts'
import { API_KEY, digestOf, ISSUER, tokenWith } from '../testing/issuer.ts'
import { JOB_ID, jobComponent, record, store } from '../testing/job-component.ts'
import type { World } from '../testing/components.ts'

const SECRET = 's'.repeat(20)
const TOKEN = tokenWith({ claims: { client_id: 'app', jti: 't1', sub: 'ada@example' } })
const ADA = `${ISSUER}#ada@example`
const VARIABLES = { ...BOTH, trust_forwarded_user: 'true', forwarded_user_secret: SECRET }
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
const asUser = (user: string) => ({ 'x-forwarded-user': user, 'x-forwarded-user-secret': SECRET })

/** Its variables can change between two requests. */
function changeable<W extends World>(world: W) {
  const changed: Record<string, string> = {}
  const { variables } = world.platform
  world.platform.variables = { get: (name) => changed[name] ?? variables.get(name) }
  return { world, changed }
}

/** A way to be known to the gateway: `status` is that of a request under the rule. */
type Kind = (rule: Record<string, string>) => Promise<{ before: number; after: number }>

const plain =
  (headers: Record<string, string>, { seenBefore = true } = {}): Kind =>
  async (rule) => {
    const { world, changed } = changeable(authenticatedWorld(VARIABLES))
    const ask = async () => (await world.get('/whoami', undefined, { headers })).status
    const before = seenBefore ? await ask() : 200
    Object.assign(changed, rule)
    return { before, after: await ask() }
  }

const link =
  (owner: string, as: Record<string, string>): Kind =>
  async (rule) => {
    const { component } = jobComponent({ status: 'completed', seq: 2 })
    const components = { images: component }
    const own = authenticatedWorld(VARIABLES, undefined, { components })
    const { world, changed } = changeable(own)
    await store(world.platform, record({ owner, status: 'completed' }, Date.now()))
    const path = `/jobs/${JOB_ID}`
    const got = (await (await world.get(path, undefined, { headers: as })).json()) as object
    const { link } = got as { link?: string }
    const ask = async () => (await world.get(`${path}?link=${link}`)).status
    const before = await ask()
    Object.assign(changed, rule)
    return { before, after: await ask() }
  }

const capability =
  (headers: Record<string, string>): Kind =>
  async (rule) => {
    const { policy = 'signed-in', ...rest } = { ...VARIABLES, policy: 'signed-in' }
    const { world: made, changed } = changeable(
      echoRun(async () => '', { ...rest, auth_issuers: '', policy }),
    )
    await made.run(headers)
    const sealed = made.capabilities.at(-1) ?? ''
    const ask = async () =>
      (
        await made.send(
          new Request('http://mcp-gateway.spin.internal/run/call', {
            method: 'POST',
            headers: { 'content-type': 'application/json', 'ftl-run': sealed },
            body: JSON.stringify({ seq: 1, component: 'echo', tool: 'echo' }),
          }),
        )
      ).status
    const before = await ask()
    Object.assign(changed, rule)
    return { before, after: await ask() }
  }

const deny = (auth_deny: string) => ({ auth_deny })
const MATRIX: [
  kind: string,
  Kind,
  rules: Record<string, string>[],
  kept: Record<string, string>[],
][] = [
  [
    'a token',
    plain(bearer(TOKEN), { seenBefore: false }),
    [
      ...['sub:ada@example', `principal:${ADA}`, 'client:app', 'jti:t1'].map(deny),
      deny(`token:${digestOf(TOKEN)}`),
      { auth_scopes: 'tools admin' },
    ],
    [deny('sub:ada'), deny('principal:ada@example'), deny('jti:app'), { auth_scopes: 'tools' }],
  ],
  [
    'a token whose verdict is kept',
    plain(bearer(TOKEN)),
    [
      ...['sub:ada@example', `principal:${ADA}`, 'client:app', 'jti:t1'].map(deny),
      deny(`token:${digestOf(TOKEN)}`),
      { auth_scopes: 'tools admin' },
    ],
    [deny('sub:ada'), deny('principal:ada@example'), deny('jti:app'), { auth_scopes: 'tools' }],
  ],
  [
    'a key',
    plain(bearer(API_KEY)),
    [deny('principal:key:ci'), deny(`token:${digestOf(API_KEY)}`), { auth_scopes: 'admin' }],
    [deny('sub:ci'), deny('sub:key:ci'), deny('principal:ci'), { auth_scopes: 'tools' }],
  ],
  [
    'a user whom a proxy names',
    plain(asUser('ada')),
    [deny('principal:ada'), deny('sub:ada'), { auth_scopes: 'tools' }],
    [deny('principal:adam'), deny('sub:eve'), deny(`principal:${ADA}`), deny('client:ada')],
  ],
  [
    'a user whom a proxy names, with a token that is good',
    plain({ ...asUser('ada'), ...bearer(TOKEN) }),
    [deny('principal:ada'), deny('sub:ada'), { auth_scopes: 'tools' }],
    [deny('client:app')],
  ],
  [
    'a link of a user of an issuer',
    link(ADA, bearer(TOKEN)),
    [deny(`principal:${ADA}`), deny('sub:ada@example')],
    [deny('sub:ada'), { auth_scopes: 'tools admin' }],
  ],
  [
    'a link of a user of a proxy',
    link('ada', asUser('ada')),
    [deny('principal:ada'), deny('sub:ada')],
    [deny(`principal:${ADA}`)],
  ],
  [
    'a link of a key',
    link('key:ci', bearer(API_KEY)),
    [deny('principal:key:ci')],
    [deny('sub:ci')],
  ],
  [
    'the capability of a run of a key',
    capability(bearer(API_KEY)),
    [deny('principal:key:ci'), deny(`token:${digestOf(API_KEY)}`), { auth_scopes: 'admin' }],
    [deny('sub:ci'), { auth_scopes: 'tools' }],
  ],
  [
    'the capability of a run of a user of a proxy',
    capability(asUser('ada')),
    [deny('principal:ada'), deny('sub:ada'), { auth_scopes: 'tools' }],
    [deny('sub:eve')],
  ],
]

describe.each(MATRIX)('%s', (_kind, attempt, rules, kept) => {
  it.each(rules)('is refused by %j', async (rule) => {
    const { before, after } = await attempt(rule)
    expect([before, after > 400]).toEqual([200, true])
  })

  it.each(kept)('is served with %j', async (rule) => {
    expect(await attempt(rule)).toEqual({ before: 200, after: 200 })
  })
})

it('a user of a proxy is told why', async () => {
  const ask = async (variables: Record<string, string>) =>
    authenticatedWorld({ ...VARIABLES, ...variables }).get('/whoami', undefined, {
      headers: asUser('ada'),
    })
  const denied = await ask({ auth_deny: 'sub:ada' })
  expect(denied.status).toBe(403)
  expect(await denied.text()).toContain('access_revoked')
  const scopes = await ask({ auth_scopes: 'tools' })
  expect(scopes.status).toBe(403)
  expect(scopes.headers.get('www-authenticate')).toMatch(/insufficient_scope.*auth_scopes/)
})
