/** Runs one test file in a fresh instance of the engine. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Served } from './serve.ts'
import { scriptOf, type TestFile } from './suite.ts'

/** Milliseconds a file may wait. The slow ones have timers of seconds. */
const DEADLINE_MS = 20_000

export interface Subtest {
  name: string
  hasPassed: boolean
  message: string
}

interface Outcome {
  status: string
  message: string
  tests: [name: string, [status: number, message: string]][]
}

const script = (name: string) => readFile(join(import.meta.dirname, 'component', name), 'utf8')

/** @param copy its folder, and the address at which a server has its files. */
export async function runFile(
  served: Served,
  copy: { root: string; origin: string; deadlineMs?: number },
  file: TestFile,
): Promise<Subtest[]> {
  const scripts = [
    `const LOCATION = ${JSON.stringify(`${copy.origin}/${file.path}`)};${await script('before.js')}`,
    await readFile(join(copy.root, 'resources/testharness.js'), 'utf8'),
    // The file as it is, in the same turn as the harness: a harness without tests would end.
    `const DEADLINE_MS = ${copy.deadlineMs ?? DEADLINE_MS};${await script('after.js')}`,
    await scriptOf(copy, file),
    'finished',
  ]
  try {
    return subtestsOf((await served.evaluate(scripts)) as Outcome)
  } catch (error) {
    return [{ name: '(the instance)', hasPassed: false, message: (error as Error).message }]
  }
}

function subtestsOf({ status, message, tests }: Outcome): Subtest[] {
  const subtests = tests.map(([name, [code, text]]) => ({
    name,
    hasPassed: code === 0,
    message: code > 1 ? `not done: ${text}` : text,
  }))
  return status === 'OK'
    ? subtests
    : [...subtests, { name: `(the file: ${status})`, hasPassed: false, message }]
}
