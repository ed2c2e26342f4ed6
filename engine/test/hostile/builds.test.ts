/** What a build with the engine must bear: snapshots do not differ, and a failure is one line of JSON. */
import { describe, expect, it } from 'vitest'
import { ENGINE, hasWasmtime, runInNode, runInWasmtime } from './run.ts'

if (ENGINE === undefined) console.log('engine/test/hostile: skipped, engine/engine.wasm is missing')

describe.skipIf(ENGINE === undefined)('a build', () => {
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
