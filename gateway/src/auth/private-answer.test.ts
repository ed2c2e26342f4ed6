import { describe, expect, it } from 'vitest'
import { authenticatedWorld, BOTH } from '../testing/authenticated.ts'
import { createWorld, several, tool } from '../testing/components.ts'
import { API_KEY, tokenWith } from '../testing/issuer.ts'
import { JOB_ID, jobComponent, record, store } from '../testing/job-component.ts'
import { request } from '../testing/rest.ts'
import { privateAnswer } from './private-answer.ts'

const varies = ({ headers }: Response) => (headers.get('vary') ?? '').toLowerCase().split(/, */)

describe('a response that depends on its caller', () => {
  it.each(['/tools', '/openapi.json', '/mcp', '/whoami', `/jobs/${JOB_ID}`, '/nothing'])(
    'is private and varies by the credential: %s',
    async (path) => {
      const world = authenticatedWorld(BOTH)
      for (const token of [tokenWith(), API_KEY, 'forged', undefined]) {
        const response = await world.get(path, token)
        expect(varies(response)).toEqual(expect.arrayContaining(['authorization', 'origin']))
        // Nothing stores it at all, which is more than private.
        expect(response.headers.get('cache-control')).toMatch(/no-store/)
      }
    },
  )

  it('also varies by the headers of a proxy that names users', async () => {
    const world = createWorld({
      components: { one: several([tool('a')]) },
      variables: { trust_forwarded_user: 'without-secret' },
    })
    const response = await world.send(request('/tools', { headers: { 'x-forwarded-user': 'ada' } }))
    expect(varies(response)).toEqual(
      expect.arrayContaining(['authorization', 'x-forwarded-user', 'x-forwarded-user-secret']),
    )
    expect(response.headers.get('cache-control')).toContain('no-store')
  })

  it('can be kept by the caller alone if its component says for how long', async () => {
    const { component } = jobComponent({ status: 'completed' })
    const world = createWorld({
      components: {
        images: async (incoming) => {
          const response = await component(incoming)
          if (new URL(incoming.url).pathname.startsWith('/outputs')) {
            response.headers.set('cache-control', 'Public, s-maxage=60, max-age=60, immutable')
          }
          return response
        },
      },
      variables: { trust_forwarded_user: 'without-secret' },
    })
    await store(world.platform, record({ owner: 'ada', status: 'completed' }))
    const headers = { 'x-forwarded-user': 'ada' }
    const response = await world.send(request(`/outputs/${JOB_ID}.png`, { headers }))
    expect(response.status).toBe(200)
    expect(response.headers.get('cache-control')).toBe('private, max-age=60, immutable')
  })

  it.each([
    ['no-store', 'no-store'],
    ['public', 'private, no-store'],
    ['no-cache, no-transform', 'private, no-cache, no-transform'],
    ['private="set-cookie, x", max-age=9', 'private, no-store'],
    ['S-MaxAge=5,must-revalidate', 'private, must-revalidate'],
    [' , public ,', 'private, no-store'],
    ['publicity', 'private, publicity'],
  ])('with %j is %j', (given, expected) => {
    const response = new Response(null, { headers: { 'cache-control': given } })
    privateAnswer(response, { forwardedUser: { trust: 'false' } })
    expect(response.headers.get('cache-control')).toBe(expected)
  })
})

it('a gateway without authentication says nothing of callers', async () => {
  const world = createWorld({ components: { one: several([tool('a')]) } })
  const response = await world.send(request('/tools'))
  expect(varies(response)).toEqual(['origin'])
})

it('what is the same for all callers can be shared: how to authenticate', async () => {
  const response = await authenticatedWorld(BOTH).get('/.well-known/oauth-protected-resource/mcp')
  expect(response.status).toBe(200)
  expect(response.headers.get('cache-control')).toBe('no-cache')
  expect(varies(response)).not.toContain('authorization')
})
