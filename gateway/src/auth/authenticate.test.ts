import { describe, expect, it } from 'vitest'
import { authenticatedWorld, KEY_ENTRY } from '../testing/authenticated.ts'
import { call, createWorld, post, several, tool } from '../testing/components.ts'
import { CALL, FACES } from '../testing/every-route.ts'
import { API_KEY, digestOf, tokenWith } from '../testing/issuer.ts'

const METADATA = 'https://gateway.example/.well-known/oauth-protected-resource/mcp'

const CHALLENGE = `Bearer resource_metadata="${METADATA}"`

describe('a caller without a token', () => {
  it.each(FACES)(
    '[http.authentication] gets neither a call nor knowledge at %s',
    async (_, path, init) => {
      const world = authenticatedWorld()
      const response = await world.get(path, undefined, init)
      expect(response.status).toBe(401)
      const own = path.startsWith('/mcp/x/') ? CHALLENGE.replace('/mcp"', `${path}"`) : CHALLENGE
      expect(response.headers.get('www-authenticate')).toBe(own)
      const text = await response.text()
      expect(text).not.toMatch(/"a"|one|The tool/)
      expect(world.log).toEqual([])
      expect(world.asked).toEqual([])
    },
  )

  it.each(FACES)(
    'and with a token or an API key the same request passes: %s',
    async (_, path, init) => {
      for (const token of [tokenWith(), API_KEY]) {
        const { status } = await authenticatedWorld().get(path, token, init)
        expect(status).not.toBe(401)
      }
    },
  )

  it('can probe the health, and load the page that describes the API', async () => {
    const world = authenticatedWorld()
    expect(await (await world.get('/health')).json()).toEqual({ status: 'ok' })
    expect((await world.get('/docs')).status).toBe(200)
    expect(world.log).toEqual([])
  })
})

describe('an API key', () => {
  it('has a name of its own, and several work at once', async () => {
    const other = `ftl_${'x'.repeat(43)}`
    const entries = [KEY_ENTRY, { sha256: digestOf(other), principal: 'ci' }]
    const world = authenticatedWorld({ api_keys: JSON.stringify(entries) })
    for (const key of [API_KEY, other]) {
      expect((await world.get('/mcp', key, CALL)).status).toBe(200)
      expect(world.received.at(-1)?.get('ftl-principal')).toBe('key:ci')
    }
    expect((await world.get('/mcp', `${API_KEY.slice(0, -1)}x`, CALL)).status).toBe(401)
    expect((await world.get('/mcp', KEY_ENTRY.sha256, CALL)).status).toBe(401)
  })

  it('cannot be a guessable text, even where its digest is configured', async () => {
    const entries = [{ sha256: digestOf('secret'), principal: 'ci' }]
    const world = authenticatedWorld({ api_keys: JSON.stringify(entries) })
    expect((await world.get('/tools', 'secret')).status).toBe(401)
  })
})

it('without authentication no token is looked at', async () => {
  const world = createWorld({ components: { one: several([tool('a')]) } })
  const response = await world.send(post(call('a', {}), { authorization: 'Bearer nonsense' }))
  expect(response.status).toBe(200)
})
