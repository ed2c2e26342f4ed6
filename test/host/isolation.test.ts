import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { HIDDEN, VISIBLE } from '../fixtures/hostile/pollute.ts'
import { type Fixture, startFixture, startHostile } from './fixture.ts'

describe('a guest that only counts', () => {
  let host: Fixture
  beforeAll(async () => {
    host = await startFixture()
  })
  afterAll(() => host.close())

  test('no request sees what another one left behind, and randomness never repeats', async () => {
    const random = new Set<unknown>()
    let requests = 0
    await Promise.all(
      Array.from({ length: 4 }, async () => {
        for (let i = 0; i < 100; i++) {
          const answer = await host.json('/state')
          expect(answer['counts']).toEqual([1, 1, 1])
          for (const value of answer['random'] as unknown[]) random.add(value)
          requests++
        }
      }),
    )
    expect(requests).toBe(400)
    expect(random.size).toBe(3 * 400)
  })

  test('an instance whose memory grew starts small again', async () => {
    for (let i = 0; i < 12; i++) {
      expect(await host.text('/grow?mb=40')).toBe(String(40 * 1024 * 1024))
      expect((await host.json('/state'))['counts']).toEqual([1, 1, 1])
    }
  })

  test('a request that wants more memory than allowed fails alone', async () => {
    const greedy = await fetch(`${host.url}/grow?mb=400`)
    expect([409, 500]).toContain(greedy.status)
    await greedy.text()
    expect((await host.json('/state'))['counts']).toEqual([1, 1, 1])
  })
})

describe('a guest that leaves behind whatever it can', () => {
  const KINDS = [...Object.keys(VISIBLE), ...Object.keys(HIDDEN)]
  /** Mostly it ends well: only then is its instance used again. */
  const ENDS = ['throw', 'trap', 'recurse', 'short', 'late', 'half', 'hang', 'flood'] as const
  /** FTL_ISOLATION_REQUESTS=10000 is the full form: before a release, and after changes of the reset or the engine. */
  const REQUESTS = Number(process.env['FTL_ISOLATION_REQUESTS'] ?? 3000)
  const AT_ONCE = 8
  /** A walk over every object there is takes 30 ms. */
  const CLOSELY_EACH = 50
  const BADLY_EACH = 30

  let host: Fixture
  /** What the first request of a thread finds. */
  const untouched = { glance: '', closely: '' }
  beforeAll(async () => {
    host = await startHostile({ abandonedMs: 50, workers: 2 })
    untouched.closely = await host.text('/hostile/inspect?closely')
    untouched.glance = await host.text('/hostile/inspect')
  })
  afterAll(() => host.close())

  test.each(Object.keys(VISIBLE))('is seen by itself: %s', async (kind) => {
    const leave = encodeURIComponent(kind)
    const response = await fetch(`${host.url}/hostile/?closely&twice&leave=${leave}`)
    const [before, after] = (await response.text()).split('\n')
    // What it needs to look may be what it has spoiled.
    if (response.status === 500) return
    expect(before).toBe(untouched.closely)
    expect(after).toMatch(/^[0-9a-f]{64}$/)
    expect(untouched.closely).not.toContain(after)
  })

  /** Sends one request and leaves when its answer has begun, or does not come. */
  async function send(query: string, end: string): Promise<string | undefined> {
    const brief = ['half', 'hang', 'flood'].includes(end)
    const signal = brief ? AbortSignal.timeout(30) : AbortSignal.timeout(20_000)
    try {
      const response = await fetch(`${host.url}/hostile/?end=${end}&${query}`, { signal })
      const text = await response.text()
      return response.status === 200 ? text : undefined
    } catch (error) {
      if (brief || end === 'short') return undefined
      throw error
    }
  }

  test(
    `leaves nothing for the next one, in ${REQUESTS} requests`,
    { timeout: Math.max(120_000, REQUESTS * 12) },
    async () => {
      const wrong: string[] = []
      let next = 0
      let answered = 0
      const work = async () => {
        for (let i = next++; i < REQUESTS; i = next++) {
          const [kind, another] = [
            KINDS[i % KINDS.length] ?? '',
            KINDS[(i * 7) % KINDS.length] ?? '',
          ]
          const end =
            i % BADLY_EACH === 7 ? (ENDS[((i / BADLY_EACH) | 0) % ENDS.length] ?? '') : 'answer'
          const closely = i % CLOSELY_EACH === 0
          const query = new URLSearchParams([
            ['leave', kind],
            ['leave', another],
            ...(closely ? [['closely', '']] : []),
          ])
          const found = await send(query.toString(), end)
          if (end !== 'answer') continue
          answered++
          if (found !== (closely ? untouched.closely : untouched.glance)) {
            wrong.push(`${i}, ${kind} and ${another}: ${found}`)
          }
        }
      }
      await Promise.all(Array.from({ length: AT_ONCE }, work))
      expect(wrong).toEqual([])
      expect(answered).toBeGreaterThan(0.95 * REQUESTS)
      // One request, nothing ran before it or beside it, nothing was kept.
      expect(untouched.glance).toMatch(/^1 0 0 true /)
      const counted = host.logs.map(({ line }) => line).filter((line) => line.includes('requests'))
      // Each round of kinds counts at least once, unless that request ends badly.
      expect(counted.length).toBeGreaterThan((0.9 * REQUESTS) / KINDS.length)
      // Within one group: of its own request.
      expect(new Set(counted)).toEqual(new Set(['  requests: 1']))
    },
  )
})
