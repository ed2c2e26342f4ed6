import { spawn } from 'node:child_process'
import { createServer } from 'node:net'
import { fileURLToPath } from 'node:url'

export const FTL = fileURLToPath(new URL('../../cli/bin/ftl.mjs', import.meta.url))
export const REPOSITORY = fileURLToPath(new URL('../../', import.meta.url))

export interface RunningCommand {
  /** Everything printed so far, both streams. */
  output(): string
  /** Settles when `text` has been printed. */
  printed(text: string | RegExp, withinMs?: number): Promise<void>
  /** Sends a signal to the command, as Ctrl-C or `kill` would. */
  signal(signal: NodeJS.Signals): void
  /** Settles with the exit code; null when a signal ended it. */
  exited: Promise<number | null>
  pid: number
}

export interface CommandOptions {
  cwd?: string
  env?: Readonly<Record<string, string>>
  /** Largest file that it may write, in KiB: writing more fails, as on a full disk. @default no limit */
  maxFileKilobytes?: number
}

/** Runs the `ftl` command as a process of its own. */
export function ftl(
  args: string[],
  { cwd = REPOSITORY, env = {}, maxFileKilobytes }: CommandOptions = {},
): RunningCommand {
  const direct = [process.execPath, FTL, ...args]
  const limited = ['bash', '-c', `ulimit -f ${maxFileKilobytes}; exec "$0" "$@"`, ...direct]
  const [program = '', ...rest] = maxFileKilobytes === undefined ? direct : limited
  const child = spawn(program, rest, {
    cwd,
    env: { ...process.env, NO_COLOR: '1', COMFYUI_URL: '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const listeners = new Set<() => void>()
  const add = (chunk: Buffer) => {
    output += chunk.toString()
    for (const listener of listeners) listener()
  }
  child.stdout.on('data', add)
  child.stderr.on('data', add)
  const exited = new Promise<number | null>((resolve) => child.on('close', resolve))
  return {
    output: () => output,
    pid: child.pid ?? 0,
    exited,
    signal: (signal) => void child.kill(signal),
    printed: (text, withinMs = 60_000) =>
      new Promise((resolve, reject) => {
        const found = () => (typeof text === 'string' ? output.includes(text) : text.test(output))
        const fail = (why: string) => {
          settle()
          reject(new Error(`${why} without printing ${String(text)}:\n${output}`))
        }
        const timer = setTimeout(() => fail(`${withinMs} ms passed`), withinMs)
        const look = () => {
          if (!found()) return
          settle()
          resolve()
        }
        const settle = () => {
          clearTimeout(timer)
          listeners.delete(look)
        }
        listeners.add(look)
        look()
        void exited.then(() => fail('the command ended'))
      }),
  }
}

/** Ports of one worker of the test runner. */
const PORTS = 1000

/**
 * A free port outside the range from which the system takes those of outgoing connections. No other worker of the test runner
 * gets it, because a test may stop to listen there and start again.
 */
export async function freePort(): Promise<number> {
  const worker = Number(process.env['VITEST_POOL_ID'] ?? 0) % 10
  for (;;) {
    const port = 20_000 + worker * PORTS + Math.floor(Math.random() * PORTS)
    const server = createServer()
    const free = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false))
      server.listen(port, '127.0.0.1', () => resolve(true))
    })
    if (!free) continue
    await new Promise((resolve) => server.close(resolve))
    return port
  }
}
