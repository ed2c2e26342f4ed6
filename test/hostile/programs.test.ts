/**
 * Programs of a hostile model: each gets the line that its table names, and the next run finds nothing of it.
 *
 * One host serves all. The limits are low, so that a program that computes without an end takes 0.3 s.
 */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type CodeHost, startCode } from '../code/code-host.ts'
import { CAPABILITIES } from './programs/capability.ts'
import { ESCAPES } from './programs/escape.ts'
import { EXHAUSTIONS } from './programs/exhaustion.ts'
import { POLLUTIONS } from './programs/pollution.ts'
import type { HostileProgram } from './programs/program.ts'
import { SOURCE_TEXTS } from './programs/source-texts.ts'
import { VALUES } from './programs/values.ts'

let host: CodeHost

beforeAll(async () => {
  host = await startCode('compute_ms=300; memory_mb=16; wall_ms=5000')
})
afterAll(() => host.close())

/** What a run sees that no program has been before. */
const CLEAN = `const keys = []
for (const key in {}) keys.push(key)
return [keys, typeof leaked, typeof escaped, typeof JSON.parse, [2, 1].sort(), await tools.echo.echo({ message: 'clean' })]`

afterEach(async () => {
  expect(await host.run(CLEAN)).toBe('[[],"undefined","undefined","function",[1,2],"clean"]')
  expect(host.problems).toEqual([])
})

const TABLES: [string, HostileProgram[]][] = [
  ['that wants out', ESCAPES],
  ['that changes what all code shares', POLLUTIONS],
  ['that wants more than its caller may', CAPABILITIES],
  ['that wants everything', EXHAUSTIONS],
  ['with values that act', VALUES],
  ['with a hostile text', SOURCE_TEXTS],
]

describe.each(TABLES)('a program %s', (_, programs) => {
  it.each(programs)('$name', async ({ code, back, timeoutMs }) => {
    const args = timeoutMs === undefined ? {} : { timeout_ms: timeoutMs }
    expect(await host.run(code, args)).toMatch(back)
  })
})

it('a text that takes the component itself too long ends its own request only', async () => {
  // The parser of types tries both meanings of each bracket.
  const code = `let x: number = ${'async <T>('.repeat(25)}`
  expect(await host.run(code)).toMatch(/code/)
  // On a slow machine it takes seconds, and the host reports that, and nothing else.
  for (const problem of host.problems.splice(0)) {
    expect(problem).toMatch(/^code: has computed for seconds at a time without waiting/)
  }
})

it('a client does not reach what programs call', async () => {
  for (const path of ['/run/call', '/run/tools', '/run/search', '/run/describe']) {
    const response = await fetch(host.url + path, {
      method: path === '/run/tools' ? 'GET' : 'POST',
      headers: { 'ftl-run': 'x'.repeat(50) },
    })
    expect(response.status, path).toBe(404)
  }
})
