/** The tests of the MCP contract, all in one file of the test runner: for an application that is started in any way. */
import { readdirSync } from 'node:fs'
import { afterAll, describe, expect, it, type RunnerTask } from 'vitest'
import { type Served, type Start, startWith } from '../contract/mcp/application.ts'
import { EXTERNAL_URL, IS_ON_SPIN } from './application.ts'

/** Far fewer would mean that the tests were not found. */
const LEAST_TESTS = 900

const NAMES = readdirSync(new URL('../contract/mcp/', import.meta.url)).flatMap(
  (file) => /^(.+)\.test\.ts$/.exec(file)?.[1] ?? [],
)

/** How many files of this process have these tests. */
let contracts = 0

/**
 * One application serves all tests that set the same variables, so they take a fraction of the time that they take in
 * files of their own.
 *
 * @param start for another application than that of these tests, which an external one cannot be.
 * @param serverName what its gateway calls itself
 */
export function mcpContract(start?: Start, serverName?: string): void {
  if (start) {
    if (EXTERNAL_URL !== undefined)
      return void it.skip('starts its own application, and FTL_TEST_URL names another one')
    startShared(start, serverName)
  }
  // Files of this project share a process, which loads a module only once. Each file has to register the tests itself.
  const search = `?${++contracts}`
  describe.each(NAMES)('%s', async (name) => {
    const { href } = new URL(`../contract/mcp/${name}.test.ts${search}`, import.meta.url)
    await import(/* @vite-ignore */ href)
  })
  it.skipIf(IS_ON_SPIN)('all tests are here, and none is left out', ({ task }) => {
    const tests = testsOf(task.file.tasks)
    expect(tests.length).toBeGreaterThan(LEAST_TESTS)
    expect(tests.flatMap(({ mode, name }) => (mode === 'skip' ? [name] : []))).toEqual([])
  })
}

/** Starts an application for each set of variables, and ends them all after the last test. */
function startShared(start: Start, serverName?: string): void {
  const started = new Map<string, Promise<Served>>()
  startWith(async (variables) => {
    const key = JSON.stringify(variables)
    const served = started.get(key) ?? start(variables)
    started.set(key, served)
    return { url: (await served).url, close: () => Promise.resolve() }
  }, serverName)
  afterAll(async () => {
    for (const served of started.values()) await (await served).close()
  })
}

function testsOf(tasks: readonly RunnerTask[]): RunnerTask[] {
  return tasks.flatMap((task) => (task.type === 'suite' ? testsOf(task.tasks) : [task]))
}
