import { describe, expect, it } from 'vitest'
import { authenticatedWorld } from '../testing/authenticated.ts'
import { call, createWorld, several, tool } from '../testing/components.ts'
import { API_KEY } from '../testing/issuer.ts'
import { request } from '../testing/rest.ts'

describe('what the gateway reports to its host', () => {
  it('is the caller of a request with a credential', async () => {
    const one = authenticatedWorld()
    const response = await one.get('/tools', API_KEY)
    expect(response.headers.get('ftl-authenticated')).toBe('key:ci')
    expect((await one.get('/tools', 'wrong')).headers.get('ftl-authenticated')).toBeNull()
  })

  it('is how many calls a list has', async () => {
    const response = await createWorld({ components: { one: several([tool('a')]) } }).send(
      request('/mcp', { body: [call('a', {}, 1), call('a', {}, 2)] }),
    )
    expect(response.headers.get('ftl-calls')).toBe('2')
  })
})
