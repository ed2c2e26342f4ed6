// The endpoint of one component is a resource of its own.
import { expect, it } from 'vitest'
import { authenticatedWorld, BOTH } from '../testing/authenticated.ts'
import { AUDIENCE, tokenWith } from '../testing/issuer.ts'
import { call, several, tool } from '../testing/components.ts'

const METADATA = '/.well-known/oauth-protected-resource'
const ONE = `${AUDIENCE}/x/one`

const world = (variables: Record<string, string> = BOTH) =>
  authenticatedWorld(variables, undefined, { components: { two: several([tool('b')]) } })

const post = { method: 'POST', body: JSON.stringify(call('a', {})) }
const json = { 'content-type': 'application/json' }

it.each(['/mcp/x/one', '/mcp/x/no-such-component'])(
  'a client without a token finds metadata with the address %s that it used',
  async (path) => {
    const on = world()
    const refusal = await on.get(path, undefined, { ...post, headers: json })
    expect(refusal.status).toBe(401)
    const [, address = ''] =
      /resource_metadata="([^"]+)"/.exec(refusal.headers.get('www-authenticate') ?? '') ?? []
    expect(address).toBe(`https://gateway.example${METADATA}${path}`)
    const document = await on.get(new URL(address).pathname)
    expect(await document.json()).toMatchObject({ resource: `https://gateway.example${path}` })
  },
)

it('a token for it is one for this component alone, and a token for the server is one for all', async () => {
  const on = world()
  const statusOf = async (path: string, aud: string, body = post) =>
    (await on.get(path, tokenWith({ claims: { aud } }), { ...body, headers: json })).status
  expect(await statusOf('/mcp/x/one', ONE)).toBe(200)
  expect(await statusOf('/mcp/x/one', AUDIENCE)).toBe(200)
  expect(await statusOf('/mcp', AUDIENCE)).toBe(200)
  for (const path of ['/mcp', '/mcp/x/two', '/mcp/x/On%65', '/invoke', '/mcp/x/one/']) {
    expect(await statusOf(path, ONE), path).toBe(401)
  }
  const get = async (path: string) =>
    (await on.get(path, tokenWith({ claims: { aud: ONE } }))).status
  expect(await get('/tools')).toBe(401)
  expect(await get('/whoami')).toBe(401)
})

it('a verdict that is kept for one endpoint is not used for another', async () => {
  const on = world()
  const token = tokenWith({ claims: { aud: ONE } })
  const statusAt = async (path: string) =>
    (await on.get(path, token, { ...post, headers: json })).status
  expect(await statusAt('/mcp/x/one')).toBe(200)
  expect(await statusAt('/mcp')).toBe(401)
  expect(await statusAt('/mcp/x/two')).toBe(401)
  expect(await statusAt('/mcp/x/one')).toBe(200)
})

it.each([
  [
    'https://gateway.example/tools/mcp',
    '/tools/mcp/x/one',
    'https://gateway.example/tools/mcp/x/one',
  ],
  ['https://gateway.example', '/mcp/x/one', undefined],
])('with auth_audience %s', async (audience, path, resource) => {
  const on = world({ ...BOTH, auth_audience: audience })
  const document = await on.get(METADATA + path)
  expect(document.status).toBe(resource === undefined ? 404 : 200)
  if (resource !== undefined) expect(await document.json()).toMatchObject({ resource })
  const aud = resource ?? audience
  const token = tokenWith({ claims: { aud } })
  expect((await on.get('/mcp/x/one', token, { ...post, headers: json })).status).toBe(200)
})
