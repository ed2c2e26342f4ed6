// What code that escaped from a guest finds: first in the thread, then in the process. support/probes/escaped.ts
// simulates such code, and says how.
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import { startHostile } from './support/application.ts'
import { attack } from './support/attack.ts'
import { guestThat } from './support/wat.ts'

const ESCAPED = new URL('./support/probes/escaped.ts', import.meta.url).href

async function report(folder: string): Promise<Record<string, string>> {
  const file = join(folder, 'state', 'escaped.json')
  let text = ''
  await expect
    .poll(async () => (text = await readFile(file, 'utf8').catch(() => '')), { timeout: 15_000 })
    .toMatch(/\}$/)
  return JSON.parse(text) as Record<string, string>
}

const NO_TEXT = /^EvalError: Code generation from strings disallowed/
const NOTHING = 'got undefined'

/** What the thread itself keeps away. */
const THREAD: Record<string, string | RegExp> = {
  'new Function': NO_TEXT,
  eval: NO_TEXT,
  'globalThis.eval': NOTHING,
  'globalThis.Function': NOTHING,
  'constructor of a function': NOTHING,
  'constructor of an async function': NOTHING,
  'constructor of a generator': NOTHING,
  'process.env': 'got [{},{}]',
  'process.getBuiltinModule': NOTHING,
  'process.binding': NOTHING,
  'process.dlopen': NOTHING,
  'process.mainModule': NOTHING,
  'process.kill': NOTHING,
  'import of a module': /no module can be imported/,
  'a new worker import': /no module can be imported/,
  fetch: NOTHING,
  BroadcastChannel: NOTHING,
  'Object.groupBy': 'got false',
  'Object.prototype.x': 'got false',
}

function expectFound(
  found: Record<string, string>,
  wanted: Readonly<Record<string, string | RegExp>>,
): void {
  const others = Object.entries(wanted).filter(([name, is]) =>
    typeof is === 'string' ? found[name] !== is : !is.test(found[name] ?? ''),
  )
  expect(Object.fromEntries(others.map(([name]) => [name, found[name]]))).toEqual({})
}

attack('look around in the thread after an escape from WebAssembly', async () => {
  process.env['FTL_TEST_SECRET'] = 'of the process'
  const host = await startHostile(
    { good: { wasm: await guestThat('') } },
    { workerImports: [ESCAPED], workers: 1 },
  )
  try {
    expectFound(await report(host.folder), THREAD)
    // The program that embeds the host keeps what it had.
    expect(Reflect.construct(Function, ['return 1'])).toBeInstanceOf(Function)
    expect((await fetch(`${host.url}/good/`)).status).toBe(200)
  } finally {
    delete process.env['FTL_TEST_SECRET']
    await host.close()
    await rm('/tmp/ftl-escaped', { force: true })
  }
  return 'no compiler, no environment, no module, no process'
})
