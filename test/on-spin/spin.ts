/** A Spin of this machine: finds it, and starts applications on it. */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'

/** Spin compiles all components at the first start: 150 s for eight of them on two busy cores. */
const START_LIMIT_MS = 600_000

/** Time a Spin has to end by itself. */
const STOP_LIMIT_MS = 5000

/** Characters of Spin's output that are kept for an error message. */
const KEPT_OUTPUT = 4000

/** @returns what `spin --version` prints; `undefined` when there is no such program. */
export function spinVersion(spin: string): string | undefined {
  try {
    return execFileSync(spin, ['--version'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim()
  } catch {
    return undefined
  }
}

export interface SpinOptions {
  /** The program. */
  spin: string
  manifest: string
  port: number
  args?: readonly string[]
  env?: Readonly<Record<string, string>>
}

export interface RunningSpin {
  url: string
  /** From the start of the process to the first answer. */
  readyMs: number
  close(): Promise<void>
}

/** @throws {Error} with the end of its output, when Spin ends or does not answer. */
export async function startSpin({
  spin,
  manifest,
  port,
  args = [],
  env = {},
}: SpinOptions): Promise<RunningSpin> {
  const listen = `127.0.0.1:${port}`
  const started = performance.now()
  const child = spawn(
    spin,
    // An empty state folder keeps the key-value store in memory, so that runs do not share entries.
    ['up', '--from', manifest, '--listen', listen, '--state-dir', '', '--quiet', ...args],
    { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] },
  )
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8')
    stream.on('data', (text: string) => (output = (output + text).slice(-KEPT_OUTPUT)))
  }
  let ended = ''
  child.on('error', (error) => (ended = error.message))
  child.on('exit', (code, signal) => (ended = `it ended with ${code ?? signal}`))
  const close = async () => {
    if (ended !== '') return
    const exited = once(child, 'exit')
    child.kill('SIGTERM')
    const timer = setTimeout(() => child.kill('SIGKILL'), STOP_LIMIT_MS)
    await exited
    clearTimeout(timer)
  }
  const url = `http://${listen}`
  while (!(await isHealthy(url))) {
    if (ended === '' && performance.now() - started > START_LIMIT_MS) {
      await close()
      ended = `no answer within ${START_LIMIT_MS / 1000} s`
    }
    if (ended !== '') throw new Error(`spin up of ${manifest}: ${ended}\n${output}`)
    await sleep(100)
  }
  return { url, readyMs: performance.now() - started, close }
}

async function isHealthy(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/.well-known/spin/health`)).ok
  } catch {
    return false
  }
}
