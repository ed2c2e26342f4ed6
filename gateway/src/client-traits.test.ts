import { describe, expect, it } from 'vitest'
import { call, createWorld, post } from './testing/components.ts'
import { LISTED_WAIT, LISTED_WAIT_MS, traitsOf } from './client-traits.ts'

const at = (query = '', headers: Record<string, string> = {}) =>
  new Request(`http://localhost:3000/mcp${query}`, { headers })
const PYTHON = { 'user-agent': 'python-httpx/0.28.1' }

describe('what is known of a client', () => {
  const NOTHING = { repeats: false, simple: false, losesErrors: false }

  it('is nothing of most', () => {
    expect(traitsOf(at())).toEqual(NOTHING)
    expect(traitsOf(at('', { 'user-agent': 'node' }), { progressToken: 1 })).toEqual(NOTHING)
    expect(traitsOf(at('?tools=all'))).toEqual(NOTHING)
  })

  it('is what openai-agents copies from the list', () => {
    expect(traitsOf(at(), LISTED_WAIT)).toMatchObject({ waitMs: LISTED_WAIT_MS, repeats: true })
    // The app of a tool sets another.
    expect(traitsOf(at(), { 'ftl/wait_ms': 0 })).toEqual(NOTHING)
  })

  it('is less than thirty seconds of frameworks in Python, unless they ask for progress', () => {
    expect(traitsOf(at('', PYTHON)).waitMs).toBeLessThan(30_000)
    expect(traitsOf(at('', PYTHON), { progressToken: 1 })).toMatchObject({
      waitMs: undefined,
      simple: true,
    })
  })

  it.each([
    ['agno', 10_000],
    ['crewai', 30_000],
    ['llama-index', 30_000],
    ['openai-agents', 5_000],
  ])('is for %s a wait that is shorter than its own', (client, limit) => {
    expect(traitsOf(at(`?client=${client}`)).waitMs).toBeLessThan(limit)
  })

  it('is what its address says, more than what is known', () => {
    const query = '?client=crewai&wait_ms=70&links=text&schemas=full&repeats=new'
    const wanted = { waitMs: 70, links: 'text', simple: false, repeats: false, losesErrors: false }
    expect(traitsOf(at(query))).toEqual(wanted)
    expect(traitsOf(at('', { 'ftl-client-options': query.slice(1) }))).toEqual(wanted)
  })

  it.each(['wait_ms=-1', 'wait_ms=1e3', 'wait_ms=', 'links=no', 'client=toString', 'client='])(
    'is not changed by %s',
    (query) => {
      expect(traitsOf(at(`?${query}`))).toEqual(NOTHING)
    },
  )
})

it.each([
  ['client=nobody', 'client', /^client must be one of agno, autogen, /],
  ['links=all', 'links', /^links must be one of as-is, beside, text, only-text$/],
  ['schemas=1', 'schemas', /simple/],
  ['repeats=', 'repeats', /same/],
  ['wait_ms=5s', 'wait_ms', /milliseconds/],
])('an address with %s is refused with what it may be', async (query, field, reason) => {
  const response = await createWorld().send(post(call('a', {}), {}, `/mcp?${query}`))
  expect(response.status).toBe(400)
  expect(await response.json()).toMatchObject({
    error: { code: -32600, data: { field, reason: expect.stringMatching(reason) as string } },
  })
})
