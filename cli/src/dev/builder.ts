/** Building in another process. See {@link serveBuilds}. */
import { type ChildProcess, spawn } from 'node:child_process'
import type { BuildEvent } from '../build/index.ts'
import { CommandFailure } from '../terminal/failure.ts'
import type { BuildDone, BuildMessage, BuildRequest } from './build-messages.ts'

/** The hidden command of `ftl` that {@link serveBuilds} is. */
export const BUILD_PROCESS = 'build-process'

/** Milliseconds that the process has to end by itself. */
const END_MS = 1000

/** Milliseconds without a build after which the process ends: it takes 100 MB, and a start of it half a second. */
const IDLE_MS = 60_000

export interface BuilderOptions {
  onEvent: (event: BuildEvent) => void
  /** @default one minute */
  idleMs?: number
  /** Starts the process that answers each {@link BuildRequest}. @default this program, as {@link BUILD_PROCESS} */
  start?: () => ChildProcess
}

export class Builder {
  readonly #options: BuilderOptions
  #process: ChildProcess | undefined
  #idle: NodeJS.Timeout | undefined
  #closed = false

  constructor(options: BuilderOptions) {
    this.#options = options
  }

  /** One at a time. @throws {CommandFailure} when the build itself fails; what it could not build is in its result. */
  async build(request: BuildRequest): Promise<BuildDone> {
    if (this.#closed) throw new CommandFailure('the build was stopped')
    clearTimeout(this.#idle)
    const child = (this.#process ??= this.#start())
    return new Promise((resolve, reject) => {
      const receive = (message: BuildMessage) => {
        if (message.type === 'event') return this.#options.onEvent(message.event)
        settle()
        if (message.type === 'done') resolve(message)
        else reject(new CommandFailure(message.problem))
      }
      const lost = (code: number | null, signal: NodeJS.Signals | null) => {
        settle()
        const how = signal === null ? `with code ${code}` : `by ${signal}`
        reject(
          new CommandFailure(`the process that builds was ended ${how}; save a file to try again`),
        )
      }
      const unstarted = ({ message }: Error) => {
        settle()
        reject(
          new CommandFailure(
            `the process that builds cannot be started (${message}); save a file to try again`,
          ),
        )
      }
      const settle = () => {
        child.off('message', receive)
        child.off('exit', lost)
        child.off('error', unstarted)
        if (this.#process !== child) return
        this.#idle = setTimeout(() => this.interrupt(), this.#options.idleMs ?? IDLE_MS).unref()
      }
      child.on('message', receive)
      child.on('exit', lost)
      child.on('error', unstarted)
      // Without a connection, one of the two follows; so does it when the process ends before it has read this.
      if (child.connected) child.send(request, () => undefined)
    })
  }

  /** Ends the build that runs, which rejects; the next one starts a process again. */
  interrupt(): void {
    clearTimeout(this.#idle)
    const child = this.#process
    if (!child) return
    this.#process = undefined
    // It ends what it has started itself, unless it computes.
    if (child.connected) child.disconnect()
    const killing = setTimeout(() => child.kill('SIGKILL'), END_MS)
    child.once('exit', () => clearTimeout(killing))
  }

  /** At once, in the middle of whatever it does. */
  close(): void {
    this.#closed = true
    this.interrupt()
  }

  #start(): ChildProcess {
    const { start = startBuildProcess } = this.#options
    const child = start()
    const forget = () => {
      if (this.#process === child) this.#process = undefined
    }
    child.on('exit', forget)
    // Without a listener it would end ftl dev: this program may be replaced while it runs.
    child.on('error', forget)
    return child
  }
}

function startBuildProcess(): ChildProcess {
  const [, script = ''] = process.argv
  return spawn(process.execPath, [script, BUILD_PROCESS], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    // Each build has threads and buffers of megabytes, which the C library would keep for the next ones.
    env: { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '131072', ...process.env },
  })
}
