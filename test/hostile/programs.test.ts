/**
 * Programs of a hostile model: each gets the line that its table names, and the next run finds nothing of it.
 *
 * One host serves all. The limits are low, so that a program that computes without an end takes 0.3 s.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startHost, type Host } from 'ftl-host'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { MANIFESTS } from '../support/manifests.ts'
import { CAPABILITIES } from './programs/capability.ts'
import { ESCAPES } from './programs/escape.ts'
import { EXHAUSTIONS } from './programs/exhaustion.ts'
import { POLLUTIONS } from './programs/pollution.ts'
import type { HostileProgram } from './programs/program.ts'
import { SOURCE_TEXTS } from './programs/source-texts.ts'
import { VALUES } from './programs/values.ts'

const problems: string[] = []
let host: Host
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ftl-programs-'))
  host = await startHost({
    manifest: MANIFESTS.code,
    listen: '127.0.0.1:0',
    stateDir: folder,
    env: {},
    variables: { limits: 'compute_ms=300; memory_mb=16; wall_ms=5000' },
    onError: ({ component, message }) => problems.push(`${component}: ${message}`),
  })
})
afterAll(async () => {
  await host.close()
  await rm(folder, { recursive: true, force: true })
})

async function run(code: string, timeoutMs?: number): Promise<string> {
  const args = { code, ...(timeoutMs !== undefined && { timeout_ms: timeoutMs }) }
  const response = await fetch(`${host.url}/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify({
      ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
      params: { name: 'run_code', arguments: args },
    }),
  })
  const answer = (await response.json()) as { result?: { content?: { text?: string }[] } }
  return answer.result?.content?.[0]?.text ?? JSON.stringify(answer)
}

/** What a run sees that no program has been before. */
const CLEAN = `const keys = []
for (const key in {}) keys.push(key)
return [keys, typeof leaked, typeof escaped, typeof JSON.parse, [2, 1].sort(), await tools.echo.echo({ message: 'clean' })]`

afterEach(async () => {
  expect(await run(CLEAN)).toBe('[[],"undefined","undefined","function",[1,2],"clean"]')
  expect(problems).toEqual([])
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
    expect(await run(code, timeoutMs)).toMatch(back)
  })
})
