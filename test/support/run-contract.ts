import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Outcome } from '../on-spin/outcome.ts'
import { OUTCOME_FILE } from '../on-spin/outcome-reporter.ts'
import { IS_BUILT } from './build.ts'
import { REPOSITORY } from './command.ts'

/** Far fewer would mean that the tests were not found. */
export const LEAST_TESTS = 800

// A failed test ends the program with 1, and its name is in the file.
const ignoreEnd = () => {}

/** Runs the tests of the MCP contract with these environment variables. */
export async function runContract(env: Readonly<Record<string, string>>): Promise<Outcome> {
  const folder = await mkdtemp(join(tmpdir(), 'ftl-contract-'))
  try {
    const file = join(folder, 'outcome.json')
    await promisify(execFile)(
      process.execPath,
      [
        ...[join(REPOSITORY, 'node_modules/vitest/vitest.mjs'), 'run', 'test/contract/mcp/'],
        ...['--project', 'system'],
        ...['--reporter', join(REPOSITORY, 'test/on-spin/outcome-reporter.ts')],
      ],
      { cwd: REPOSITORY, env: { ...process.env, ...env, [OUTCOME_FILE]: file, [IS_BUILT]: '1' } },
    ).catch(ignoreEnd)
    return JSON.parse(await readFile(file, 'utf8')) as Outcome
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
