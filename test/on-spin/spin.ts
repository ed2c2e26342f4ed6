/** A Spin of this machine: finds it, and starts applications on it. */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve, sep } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** Spin compiles all components at the first start: 150 s for eight of them on two busy cores. */
const START_LIMIT_MS = 600_000

/** Time a Spin has to end by itself. */
const STOP_LIMIT_MS = 5000

/** Characters of Spin's output that are kept: enough for an error message, and for the lines of a few hundred calls. */
const KEPT_OUTPUT = 400_000

/** Characters of them that an error message has. */
const TOLD_OUTPUT = 4000

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
  /** The folder that it is started in. @default that of this process */
  cwd?: string
  port: number
  args?: readonly string[]
  env?: Readonly<Record<string, string>>
  /** Whether Spin prints what the components print. @default false */
  follow?: boolean
  /** Where its key-value stores are kept. @default in memory, so that runs do not share entries */
  stateDir?: string
}

export interface RunningSpin {
  url: string
  /** The end of what Spin has printed, and the components if it follows them. */
  output: () => string
  /** From the start of the process to the first answer. */
  readyMs: number
  close(): Promise<void>
  /** Ends it at once, in the middle of whatever it does. */
  kill(): Promise<void>
}

/** @throws {Error} with the end of its output, when Spin ends or does not answer. */
export async function startSpin({
  spin,
  manifest,
  cwd,
  port,
  args = [],
  env = {},
  follow = false,
  stateDir = '',
}: SpinOptions): Promise<RunningSpin> {
  const listen = `127.0.0.1:${port}`
  const started = performance.now()
  const child = spawn(
    // A path is relative to the folder of this process.
    spin.includes(sep) ? resolve(spin) : spin,
    [
      'up',
      '--from',
      manifest,
      '--listen',
      listen,
      '--state-dir',
      stateDir,
      ...(follow ? [] : ['--quiet']),
      ...args,
    ],
    // A group of its own: `spin up` starts another process, which would outlive it.
    { cwd, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'], detached: true },
  )
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8')
    stream.on('data', (text: string) => (output = (output + text).slice(-KEPT_OUTPUT)))
  }
  let ended = ''
  child.on('error', (error) => (ended = error.message))
  child.on('exit', (code, signal) => (ended = `it ended with ${code ?? signal}`))
  const signalGroup = (signal: NodeJS.Signals) => {
    if (child.pid === undefined) return
    try {
      process.kill(-child.pid, signal)
    } catch {
      // It has ended by itself.
    }
  }
  process.once('exit', () => ended === '' && signalGroup('SIGKILL'))
  const close = async () => {
    if (ended !== '') return
    const exited = once(child, 'exit')
    signalGroup('SIGTERM')
    const timer = setTimeout(() => signalGroup('SIGKILL'), STOP_LIMIT_MS)
    await exited
    clearTimeout(timer)
  }
  const kill = async () => {
    if (ended !== '') return
    const exited = once(child, 'exit')
    signalGroup('SIGKILL')
    await exited
  }
  const url = `http://${listen}`
  while (!(await isHealthy(url))) {
    if (ended === '' && performance.now() - started > START_LIMIT_MS) {
      await close()
      ended = `no answer within ${START_LIMIT_MS / 1000} s`
    }
    if (ended !== '')
      throw new Error(`spin up of ${manifest}: ${ended}\n${output.slice(-TOLD_OUTPUT)}`)
    await sleep(100)
  }
  return { url, output: () => output, readyMs: performance.now() - started, close, kill }
}

/** Lists of tools that are requested at most. */
const WARM_UP_LISTS = 20

/**
 * Lists the tools until the number of them stays the same: the first answer of a component can take longer than the
 * applications allow for discovery. Does nothing for an application without a gateway.
 */
export async function warmUp(url: string): Promise<void> {
  let known = -1
  for (let lists = 0; lists < WARM_UP_LISTS; lists++) {
    const response = await fetch(`${url}/mcp`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
    })
    const text = await response.text()
    if (!response.ok) return
    const { result } = JSON.parse(text) as { result?: { tools?: unknown[] } }
    const tools = result?.tools?.length ?? 0
    if (tools === known) return
    known = tools
  }
}

async function isHealthy(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/.well-known/spin/health`)).ok
  } catch {
    return false
  }
}
