// Every native class and function of the engine, called with what it does not expect. A trap costs the caller its
// message: whatever a program does, its instance answers, and works afterwards.
import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Program, Step } from '../fixtures/hostile/native/interpret.ts'
import { type Fixture, startHostile } from '../host/fixture.ts'

const seed = Number(process.env['FTL_FUZZ_SEED'] ?? Date.now() % 2 ** 31)
/** FTL_FUZZ_RUNS=1000000 runs for hours. */
const numRuns = Number(process.env['FTL_FUZZ_RUNS'] ?? 2500)
const MAX_MS = Math.max(60_000, numRuns * 50)
/** A native loop that takes longer than this is ended by the host: nothing traps, and that is known. */
const MAX_BLOCKING_MS = 2000

let host: Fixture
let functions: string[]
beforeAll(async () => {
  host = await startHostile({ workers: 2, maxBlockingMs: MAX_BLOCKING_MS })
  const response = await fetch(`${host.url}/evaluate/functions`)
  functions = (await response.json()) as string[]
})
afterAll(() => host?.close())

/** The Web APIs are ours, the rest is QuickJS's. */
const OURS =
  /^([gs]et )?(Headers|Request|Response|URL|Text|Blob|File|Form|Abort|Event|CustomEvent|DOMException|Readable|Writable|Transform|Compression|Decompression|ByteLength|Count|crypto|Crypto|Subtle|subtle|entries|params|reader|fetch|atob|btoa|structuredClone|console|set(Timeout|Interval)|clear|queueMicrotask|report|performance|addEvent)/

const number = fc.nat(2 ** 30)
const step = (ours: readonly number[]): fc.Arbitrary<Step> =>
  fc.record({
    function: fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...ours) }, number),
    how: fc.constantFrom<Step['how']>('instance', 'instance', 'own', 'value', 'kept', 'new'),
    receiver: number,
    arguments: fc.array(number, { maxLength: 5 }),
  })

interface Answer {
  calls: number
  returned: number
  wrong: string
}

const BATCH = 500
const AT_ONCE = 4
const SLOW = 'slow'

/** What is wrong with how a program has ended; nothing for most. */
async function run(program: Program): Promise<{ problem: string; answer?: Answer }> {
  const body = JSON.stringify(program)
  host.errors.length = host.logs.length = 0
  const response = await fetch(`${host.url}/evaluate/`, { method: 'POST', body })
  const text = await response.text()
  if (response.status === 200) {
    const answer = JSON.parse(text) as Answer
    return { problem: answer.wrong && `afterwards it fails: ${answer.wrong}`, answer }
  }
  const said = host.errors.map(({ message }) => message)
  const logged = host.logs.map(({ line }) => line)
  const all = [...said, ...logged.slice(-6)].join('; ')
  if (/without yielding|event loop|without waiting/.test(all)) return { problem: SLOW }
  return { problem: `${response.status}: ${all}` }
}

/** The steps that are needed for the problem, as text. */
async function smallest(program: Program, problem: string): Promise<string> {
  let [found, what] = [program, problem]
  for (const list of ['steps', 'within'] as const) {
    for (let at = found[list].length - 1; at >= 0; at--) {
      const less = { ...found, [list]: found[list].toSpliced(at, 1) }
      const { problem: now } = await run(less)
      if (now !== '' && now !== SLOW) [found, what] = [less, now]
    }
  }
  const show = (each: Step) =>
    `${functions[each.function % functions.length]} ${JSON.stringify(each)}`
  const lines = [...found.steps.map(show), 'within:', ...found.within.map(show)]
  return `${what}\n${lines.join('\n')}`
}

describe('programs of calls of native functions', () => {
  it('know the functions', () => {
    expect(functions.length).toBeGreaterThan(800)
    for (const path of ['Headers.prototype.append', 'get URL.prototype.href', 'structuredClone']) {
      expect(functions).toContain(path)
    }
  })

  it('never trap, and leave an instance that works', { timeout: MAX_MS, retry: 0 }, async () => {
    console.log(`native: FTL_FUZZ_SEED=${seed} FTL_FUZZ_RUNS=${numRuns}`)
    const ours = functions.flatMap((path, at) => (OURS.test(path) ? [at] : []))
    const steps = fc.array(step(ours), { minLength: 1, maxLength: 25 })
    const program: fc.Arbitrary<Program> = fc.record({ steps, within: steps })
    const totals = { programs: 0, calls: 0, returned: 0, slow: 0 }
    for (let from = 0; from < numRuns; from += BATCH) {
      const size = Math.min(BATCH, numRuns - from)
      const suspects: Program[] = []
      const queue = fc.sample(program, { seed: seed + from, numRuns: size }).values()
      const work = async () => {
        for (const each of queue) {
          totals.programs++
          const { answer, problem } = await run(each)
          if (problem !== '') suspects.push(each)
          totals.calls += answer?.calls ?? 0
          totals.returned += answer?.returned ?? 0
        }
      }
      await Promise.all(Array.from({ length: AT_ONCE }, work))
      // Again, and alone, so that what the host says is about this one.
      for (const each of suspects) {
        const { problem } = await run(each)
        if (problem === '' || problem === SLOW) totals.slow++
        else throw new Error(await smallest(each, problem))
      }
    }
    console.log('native:', totals)
    // Arguments that nothing accepts would test little.
    expect(totals.returned).toBeGreaterThan(totals.calls / 10)
    expect(totals.slow).toBeLessThan(numRuns / 50)
  })
})
