/** What every host of the engine must bear; each host has a test file of its own, because each takes a while. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { PROGRAM_PRELUDE, program } from './programs.ts'
import { ENGINE, type Outcome } from './run.ts'

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

type Run = (text: string) => Outcome | Promise<Outcome>

/** @param host says where, in the title */
export function testEveryCase(host: string, isThere: boolean, run: Run): void {
  describe.skipIf(ENGINE === undefined || !isThere)(`hostile JavaScript ${host}`, () => {
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
