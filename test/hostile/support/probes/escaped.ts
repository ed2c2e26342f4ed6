/**
 * Loaded into each worker (`workerImports`). It stands for a guest that has got out of WebAssembly: it looks at what
 * the thread offers once it serves, and writes what it found to the file `escaped.json` of the state folder.
 *
 * It uses what a module has and a guest has not, such as the file system it imported before, to report only.
 */
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { workerData } from 'node:worker_threads'

const { stores, imports } = workerData as {
  stores: { default: { file: string } }
  imports: string[]
}
const folder = dirname(stores.default.file)

/** What an attempt gives, in words: its error, or its result. */
async function outcome(attempt: () => unknown): Promise<string> {
  try {
    return `got ${String(await attempt())}`
  } catch (error) {
    const { name, message, code = name } = error as NodeJS.ErrnoException
    return `${code}: ${message.replaceAll(/\s+/g, ' ').slice(0, 80)}`
  }
}

const made = (maker: object): unknown => (Object.getPrototypeOf(maker) as object).constructor
const globalOf = (name: string): unknown => Reflect.get(globalThis, name)

/** Made before the thread was hardened, as a guest that got hold of one would have it. */
const [keptFunction, keptEval, dlopen] = [Function, eval, process.dlopen.bind(process)]

const attempts: Record<string, () => unknown> = {
  'new Function': () => (new keptFunction('return 1') as () => number)(),
  eval: () => keptEval('1') as unknown,
  'globalThis.eval': () => globalOf('eval'),
  'globalThis.Function': () => globalOf('Function'),
  'constructor of a function': () => made(() => {}),
  'constructor of an async function': () => made(async () => {}),
  'constructor of a generator': () => made(function* () {}),
  'process.env': () => JSON.stringify([globalThis.process.env, process.env]),
  'process.getBuiltinModule': () => Reflect.get(process, 'getBuiltinModule'),
  'process.binding': () => Reflect.get(process, 'binding') as unknown,
  'process.dlopen': () => Reflect.get(process, 'dlopen'),
  'process.mainModule': () => Reflect.get(process, 'mainModule'),
  'process.kill': () => Reflect.get(globalThis.process, 'kill'),
  'import of a module': async () => typeof (await import('node:fs')),
  'a new worker import': () => import(`${imports[0]}?again`),
  fetch: () => globalOf('fetch'),
  BroadcastChannel: () => globalOf('BroadcastChannel'),
  'Object.groupBy': () => Reflect.set(Object, 'groupBy', 1),
  'Object.prototype.x': () => Reflect.set(Object.prototype, 'x', 1),
  // What is left when all this has failed: the permissions of the process.
  'read /etc/passwd': () => readFileSync('/etc/passwd', 'utf8').length > 0,
  'list the home': () => readdirSync(homedir()).length >= 0,
  'write outside': () => writeFileSync('/tmp/ftl-escaped', ''),
  spawn: () => execFileSync('id').length > 0,
  'load an addon': () => dlopen({ exports: {} }, '/nowhere.node'),
}

setTimeout(() => {
  void Promise.all(
    Object.entries(attempts).map(async ([name, attempt]) => [name, await outcome(attempt)]),
  ).then((found) => {
    writeFileSync(join(folder, 'escaped.json'), JSON.stringify(Object.fromEntries(found)))
  })
}, 300)
