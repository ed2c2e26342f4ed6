/** The processes and temporary folders of a comparison. All of them are gone when it ends, however it ends. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface Child {
  pid: number
  /** `performance.now()` when it began. */
  startedAt: number
  /** Sends a message to a process of Node that was started with `ipc`. */
  send(message: unknown): void
  /** The next message of such a process. @throws {Error} when it ends before. */
  message<T>(): Promise<T>
  /** @throws {Error} with the end of what it has printed, when it has ended. */
  check: () => void
  stop: () => Promise<void>
}

export interface SpawnOptions {
  cwd?: string
  env?: NodeJS.ProcessEnv
  ipc?: boolean
}

const running = new Set<ChildProcess>()
const folders = new Set<string>()

/** Each child leads a process group, so that what it starts itself ends with it. */
export function start(program: string, args: readonly string[], options: SpawnOptions = {}): Child {
  const { cwd, env = process.env, ipc = false } = options
  const stdio = ['ignore', 'ignore', 'pipe', ...(ipc ? (['ipc'] as const) : [])] as const
  const startedAt = performance.now()
  const child = spawn(program, args, { cwd, env, detached: true, stdio: [...stdio] })
  const exited = once(child, 'exit').catch(() => undefined)
  let printed = ''
  running.add(child)
  child.stderr?.on('data', (chunk: Buffer) => (printed = (printed + chunk.toString()).slice(-2000)))
  child.on('error', (error) => (printed += error.message))
  child.on('exit', () => running.delete(child))
  const ended = () => new Error(`${program} has ended: ${printed.trim() || 'it printed nothing'}`)
  return {
    pid: child.pid ?? 0,
    startedAt,
    send: (message) => void child.send(message as object),
    async message<T>() {
      const gone = exited.then(() => Promise.reject(ended()))
      return ((await Promise.race([once(child, 'message'), gone])) as [T])[0]
    },
    check() {
      if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) {
        throw ended()
      }
    },
    async stop() {
      if (!running.has(child) || child.pid === undefined) return
      killGroup(child, 'SIGTERM')
      const late = setTimeout(() => killGroup(child, 'SIGKILL'), 5000)
      await exited
      clearTimeout(late)
      killGroup(child, 'SIGKILL')
    },
  }
}

/** At Ctrl-C, and when the program ends with an error. */
export function cleanUp(): void {
  for (const child of running) killGroup(child, 'SIGKILL')
  for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
}

/** @returns a folder, and what removes it. */
export async function temporaryFolder(): Promise<{ folder: string; remove: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'ftl-peers-'))
  folders.add(folder)
  const remove = async () => {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 })
    folders.delete(folder)
  }
  return { folder, remove }
}

function killGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(-pid, signal)
  } catch {
    // The whole group has ended.
  }
}

/** A port for a program that cannot choose one itself. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address !== null ? address.port : 0
}
