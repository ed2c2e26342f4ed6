/** Runs JavaScript in the engine, at module scope, on both kinds of host. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'

const HERE = import.meta.dirname
const BUILT = [
  join(HERE, '../../engine.wasm'),
  join(HERE, '../../target/wasm32-wasip1/release/engine.wasm'),
]
export const ENGINE = process.env['FTL_ENGINE_WASM'] ?? BUILT.find((path) => existsSync(path))

export interface Outcome {
  /** Why the engine ended: a trap, or the status of a failed build. */
  problem: string | undefined
  text: string
  memory?: Uint8Array
}

export interface NodeOptions {
  /** Milliseconds since 1970. */
  now?: number
  seed?: number
  wantsMemory?: boolean
  stackMb?: number
}

/** In a worker of V8, whose stack is the host's. */
export function runInNode(source: string, options: NodeOptions = {}): Promise<Outcome> {
  const { now = Date.now(), seed = 1, wantsMemory = false, stackMb } = options
  const worker = new Worker(new URL('run-in-node.mjs', import.meta.url), {
    workerData: { engine: ENGINE, source, now, seed, wantsMemory },
    ...(stackMb === undefined ? {} : { resourceLimits: { stackSizeMb: stackMb } }),
  })
  return new Promise((resolve, reject) => {
    worker.once('message', resolve)
    worker.once('error', reject)
    worker.once('exit', () => reject(new Error('the worker ended')))
  })
}

function wizerPath(): string | undefined {
  try {
    const { resolve } = createRequire(import.meta.url)
    const path = join(resolve('@bytecodealliance/wizer/package.json'), '../wizer.js')
    return existsSync(path) ? path : undefined
  } catch {
    return undefined
  }
}
const WIZER = wizerPath()
export const hasWasmtime = WIZER !== undefined

/** In wasmtime, with the 512 KiB that it gives a guest, as Spin does. The builder is wasmtime inside. */
export function runInWasmtime(source: string): Outcome & { snapshot: Buffer | undefined } {
  const folder = mkdtempSync(join(tmpdir(), 'ftl-engine-'))
  try {
    const out = join(folder, 'out.wasm')
    const args = ['--allow-wasi', '--wasm-bulk-memory', 'true', ENGINE ?? '', '-o', out]
    const { status, stdout, stderr } = spawnSync(process.execPath, [WIZER ?? '', ...args], {
      input: source,
      encoding: 'utf8',
      maxBuffer: 2 ** 28,
    })
    const problem = status === 0 ? undefined : `${status}: ${stderr.slice(-2000)}`
    return {
      problem,
      text: stdout + stderr,
      snapshot: status === 0 ? readFileSync(out) : undefined,
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
