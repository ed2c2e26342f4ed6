import { createHash } from 'node:crypto'
import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { HIDDEN, VISIBLE } from '../fixtures/hostile/pollute.ts'
import type { WorkerLost } from 'ftl-host'
import { type Fixture, startHostile } from './fixture.ts'

/** A guest that keeps its thread delays every other one there by this long. */
const MAX_BLOCKING_MS = 1500

type Step = { numbers: number[] } | { leave: string[]; end: string; leavesAfterMs: number }

const good = fc.record({ numbers: fc.array(fc.integer(), { maxLength: 40 }) })
const hostile = (...ends: string[]) =>
  fc.record({
    leave: fc.subarray([...Object.keys(VISIBLE), ...Object.keys(HIDDEN)], { maxLength: 5 }),
    end: fc.constantFrom(...ends),
    leavesAfterMs: fc.integer({ min: 1, max: 120 }),
  })

/** Ends that a client does not wait for. */
const LEFT = ['hang', 'half', 'flood']
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: good },
  { weight: 3, arbitrary: hostile('answer', 'late', 'throw', 'trap', 'short', 'recurse', ...LEFT) },
)
// These cost seconds. A request under which three threads were lost is given up, so there are two.
const scenario = fc.record({
  steps: fc.array(step, { minLength: 1, maxLength: 40 }),
  worst: fc.oneof(
    { weight: 7, arbitrary: fc.constant(undefined) },
    {
      weight: 1,
      arbitrary: fc.tuple(
        hostile('spin', 'spin natively', 'greedy', 'greedy natively'),
        fc.nat({ max: 40 }),
      ),
    },
  ),
  atOnce: fc.integer({ min: 1, max: 8 }),
})

/** The guest's report on numbers, computed by other means. */
function expected(numbers: number[]): Record<string, unknown> {
  const texts = numbers.map(String)
  return {
    served: 1,
    sorted: numbers.toSorted((a, b) => a - b),
    sum: Number(numbers.reduce((sum, number) => sum + BigInt(number), 0n)),
    most: Math.max(0, ...texts.map((text) => texts.filter((other) => other === text).length)),
    digits: texts.join('').split('-')[0]?.length ?? 0,
    date: new Date(Date.UTC(1970, 0, 1 + numbers.length)).toISOString(),
    digest: createHash('sha256').update(texts.join(',')).digest('hex'),
    enumerable: [],
  }
}

describe('good guests beside hostile ones', () => {
  let host: Fixture
  let untouched: string
  const losses: WorkerLost[] = []
  beforeAll(async () => {
    host = await startHostile({
      workers: 2,
      abandonedMs: 50,
      maxBlockingMs: MAX_BLOCKING_MS,
      onWorkerLost: (event) => losses.push(event),
    })
    untouched = await host.text('/hostile/inspect')
    expect(untouched).toMatch(/^1 0 0 true /)
  })
  afterAll(() => host.close())

  async function take(step: Step): Promise<void> {
    if ('numbers' in step) {
      const init = { method: 'POST', body: JSON.stringify(step.numbers) }
      const response = await fetch(`${host.url}/good/report`, init)
      expect(response.status).toBe(200)
      expect(await response.json()).toEqual(expected(step.numbers))
      return
    }
    const { leave, end, leavesAfterMs } = step
    const query = new URLSearchParams([['end', end], ...leave.map((name) => ['leave', name])])
    const signal = LEFT.includes(end)
      ? AbortSignal.timeout(leavesAfterMs)
      : AbortSignal.timeout(20_000)
    const url = `${host.url}/hostile/?${query.toString()}`
    const found = await fetch(url, { signal }).then(
      async (response) => (response.status === 200 ? response.text().catch(() => '') : ''),
      () => '',
    )
    if (signal.aborted && !LEFT.includes(end)) throw new Error(`"${end}" was not answered in 20 s`)
    // A hostile guest must not find traces of earlier requests either.
    if (end === 'answer') expect(found).toBe(untouched)
  }

  it('answer exactly right, whatever comes in whatever order', { timeout: 120_000 }, async () => {
    const seed = Number(process.env['FTL_FUZZ_SEED'] ?? Date.now() % 2 ** 31)
    const numRuns = Number(process.env['FTL_FUZZ_RUNS'] ?? 40)
    console.log(`interleaved: FTL_FUZZ_SEED=${seed} FTL_FUZZ_RUNS=${numRuns}`)
    const property = fc.asyncProperty(scenario, async ({ steps, worst, atOnce }) => {
      const all: Step[] = worst ? steps.toSpliced(worst[1], 0, worst[0], worst[0]) : steps
      const queue = all.values()
      const work = async () => {
        for (const step of queue) await take(step)
      }
      losses.length = 0
      try {
        await Promise.all(Array.from({ length: atOnce }, work))
        // Only the hostile component is blamed.
        expect(losses.filter(({ component }) => component !== 'hostile')).toEqual([])
      } catch (error) {
        console.log('workers lost:', losses)
        throw error
      }
    })
    // Shrinking would take minutes: repeat the run, with fewer steps.
    await fc.assert(property, { seed, numRuns, endOnFailure: true })
  })
})
