import { KeyValueError } from 'ftl-platform'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { call, createWorld, post, several, tool, type World } from './testing/components.ts'

const ID = '00000000-0000-4000-8000-000000000000'

let world: World
beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  world = createWorld({ components: { one: several([tool('a')]) } })
})
afterEach(() => vi.restoreAllMocks())

/** Every operation of the store fails from now on. */
function failWith(error: KeyValueError): void {
  world.platform.openKeyValue = () => Promise.reject(error)
}

const AWAY = new KeyValueError('other', 'connect ECONNREFUSED 10.0.0.7:6379')

describe('while the key-value store does not answer', () => {
  it.each(['/health', `/jobs/${ID}`, `/jobs/${ID}/events`])(
    'GET %s is 503 with Retry-After',
    async (path) => {
      failWith(AWAY)
      const response = await world.send(new Request(`http://localhost:3000${path}`))
      expect(response.status).toBe(503)
      expect(response.headers.get('retry-after')).toBe('2')
      const text = await response.text()
      expect(JSON.parse(text)).toMatchObject({
        error: { code: 'store_unavailable', retryAfterSeconds: 2 },
      })
      expect(text).not.toMatch(/10\.0\.0\.7|ECONN|\.ts/)
    },
  )

  it('get_job is 503, and does not say that there is no such tool', async () => {
    failWith(AWAY)
    const response = await world.send(post(call('get_job', { job_id: ID })))
    expect(response.status).toBe(503)
    expect(response.headers.get('retry-after')).toBe('2')
    expect(await response.json()).toMatchObject({
      id: 1,
      error: { code: -32603, data: { reason: 'store_unavailable', retryAfter: 2 } },
    })
  })

  it('a call that needs nothing of the store is answered', async () => {
    failWith(AWAY)
    expect(await world.rpc(call('a', {}))).toMatchObject({ result: { content: [{ text: 'a' }] } })
  })
})

it.each([
  ['a store that may not be opened', new KeyValueError('access-denied')],
  ['a full store', new KeyValueError('other', 'quota exceeded: 100 entries')],
])('%s is not one that answers later', async (_, error) => {
  failWith(error)
  const response = await world.send(new Request(`http://localhost:3000/jobs/${ID}`))
  expect(response.status).toBe(500)
})

it('without a store of its own, the gateway is healthy', async () => {
  failWith(new KeyValueError('access-denied'))
  const response = await world.send(new Request('http://localhost:3000/health'))
  expect(response.status).toBe(200)
})
