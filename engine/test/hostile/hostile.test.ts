/** The engine holds against hostile JavaScript: nothing traps, and snapshots do not differ. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { PROGRAM_PRELUDE, program } from './programs.ts'
import { ENGINE, type Outcome, hasWasmtime, runInNode, runInWasmtime } from './run.ts'

const HERE = import.meta.dirname
const prelude = readFileSync(join(HERE, 'prelude.js'), 'utf8')
const source = (file: string, skip: string[] = []) =>
  `globalThis.SKIP = ${JSON.stringify(skip)}; globalThis.ONLY = null;\n${prelude}\n${readFileSync(join(HERE, 'cases', `${file}.js`), 'utf8')}`

interface Line {
  case: string
  outcome: string
  frames?: number
  value?: number | string
}

const lines = ({ text }: Outcome): Line[] =>
  text
    .split('\n')
    .filter((line) => line.startsWith('{"case"'))
    .map((line) => JSON.parse(line))

/** The case that was begun last: the one that trapped. */
const last = ({ text }: Outcome) => text.match(/^> .*$/gm)?.at(-1)

/**
 * The problem, unless the engine ended in an orderly way, with its line of JSON. That line may be about a RangeError of a
 * case, if a rejection was left: only the host's own words are about a trap.
 */
function trapped({ problem, text }: Outcome): string | undefined {
  const ofHost = (problem ?? '').replace(/\{"error":.*\}/g, '')
  const isOrderly = /^\{"error":.*\}$/m.test(text)
  return isOrderly && !/unreachable|call stack|out of bounds/.test(ofHost) ? undefined : problem
}

const FILES = ['stack', 'parser', 'regexp', 'jobs', 'memory']
const HOSTS: [string, boolean, (text: string) => Outcome | Promise<Outcome>][] = [
  ['Node', true, runInNode],
  ['wasmtime', hasWasmtime, runInWasmtime],
]

if (ENGINE === undefined) console.log('engine/test/hostile: skipped, engine/engine.wasm is missing')

describe.skipIf(ENGINE === undefined)('hostile JavaScript', () => {
  for (const [host, isThere, run] of HOSTS) {
    describe.skipIf(!isThere)(`on ${host}`, () => {
      it.each(FILES)(
        '%s: every case ends with a value or a caught error',
        { timeout: 240_000 },
        async (file) => {
          const outcome = await run(source(file))
          // The cases leave rejections, which end a build in an orderly way.
          expect(trapped(outcome), `in case ${last(outcome)}`).toBeUndefined()
          expect(lines(outcome).length).toBe(outcome.text.match(/^> /gm)?.length)
          if (file !== 'stack') return
          const found = lines(outcome)
          expect(found.find((each) => each.case === 'plain frames')?.value).toBeGreaterThanOrEqual(
            400,
          )
          // Each step is two functions.
          for (const each of found)
            if (each.frames !== undefined) expect(each.frames, each.case).not.toBe(1_000_001)
        },
      )

      it('500 random programs: none traps', { timeout: 240_000 }, async () => {
        for (let from = 0; from < 500; from += 100) {
          const runs = Array.from({ length: 100 }, (_, n) => from + n)
          const calls = runs.map((seed) => `run(${seed}, ${JSON.stringify(program(seed + 1))})`)
          const log = 'globalThis.realLog = console.log.bind(console)\n'
          // Each batch runs in an instance of its own. What a program leaves in its globals the next one meets.
          const outcome = await run(`${log}${PROGRAM_PRELUDE}\n${calls.join('\n')}`)
          expect(trapped(outcome), `program ${last(outcome)}`).toBeUndefined()
          expect(outcome.text.match(/^> /gm)?.length).toBe(100)
        }
      })
    })
  }

  it(
    'needs less than three quarters of the stack of a worker of Node',
    { timeout: 240_000 },
    async () => {
      for (const file of ['stack', 'parser', 'regexp']) {
        const outcome = await runInNode(source(file), { stackMb: 3 })
        expect(trapped(outcome), `in case ${last(outcome)}`).toBeUndefined()
      }
    },
  )

  it(
    'has no different byte in two snapshots of one bundle, on two days',
    { timeout: 60_000 },
    async () => {
      const bundle = `globalThis.kept = [new Date(), Date.now(), performance.now(), new Map([['a', {}]]), new Set('abc'), Symbol('x'), class { #a = 1 }]`
      const first = await runInNode(bundle, { now: 1e12, seed: 1, wantsMemory: true })
      const second = await runInNode(bundle, { now: 2e12, seed: 2, wantsMemory: true })
      expect(first.problem).toBeUndefined()
      expect(
        Buffer.compare(first.memory ?? Buffer.alloc(0), second.memory ?? Buffer.alloc(1)),
      ).toBe(0)
      if (!hasWasmtime) return
      const [one, two] = [runInWasmtime(bundle), runInWasmtime(bundle)]
      expect(one.snapshot?.equals(two.snapshot ?? Buffer.alloc(0))).toBe(true)
    },
  )

  it(
    'fails a build with one line of JSON: message, position, causes',
    { timeout: 60_000 },
    async () => {
      const failed = async (bundle: string) => {
        const { text, problem } = await runInNode(bundle)
        expect(problem).toBe('Error: exit 1')
        return JSON.parse(text.trim().split('\n').at(-1) ?? '')
      }
      const thrown = await failed(
        `const f = () => { throw new TypeError('bad', { cause: new Error('inner') }) }\nf()`,
      )
      expect(thrown).toMatchObject({
        error: 'TypeError: bad',
        causes: [{ relation: 'cause', error: 'Error: inner' }],
      })
      expect(thrown.stack).toContain('at f (bundle.js:1:')
      expect(await failed('let a = ;')).toMatchObject({
        error: expect.stringContaining('SyntaxError: '),
      })
      const rejected = await failed(
        `const f = async () => { await 1; throw new RangeError('late') }\nf()`,
      )
      expect(rejected).toMatchObject({
        error: 'RangeError: late',
        stack: expect.stringContaining('bundle.js:1:'),
      })
      expect(await failed(`throw new DOMException('gone', 'AbortError')`)).toMatchObject({
        error: 'AbortError: gone',
        stack: expect.stringContaining('bundle.js:1:'),
      })
      expect(await failed('crypto.randomUUID()')).toMatchObject({
        error: expect.stringMatching(/^OperationError: .*while the component is built/),
      })
      expect(await failed(`atob('*')`)).toMatchObject({
        error: expect.stringMatching(/^InvalidCharacterError: /),
        stack: expect.stringContaining('bundle.js:1:'),
      })
    },
  )
})
