/** Building in another process. See {@link serveBuilds}. */
import { type ChildProcess, spawn } from 'node:child_process'
import type { BuildEvent } from '../build/index.ts'
import { CommandFailure } from '../terminal/failure.ts'
import type { BuildDone, BuildMessage, BuildRequest } from './build-messages.ts'

/** The hidden command of `ftl` that {@link serveBuilds} is. */
export const BUILD_PROCESS = 'build-process'

/** Milliseconds that the process has to end by itself. */
const END_MS = 1000

export class Builder {
  readonly #onEvent: (event: BuildEvent) => void
  #process: ChildProcess | undefined
  #closed = false

  constructor(onEvent: (event: BuildEvent) => void) {
    this.#onEvent = onEvent
  }

  /** One at a time. @throws {CommandFailure} when the build itself fails; what it could not build is in its result. */
  async build(request: BuildRequest): Promise<BuildDone> {
    if (this.#closed) throw new CommandFailure('the build was stopped')
    const child = (this.#process ??= this.#start())
    return new Promise((resolve, reject) => {
      const receive = (message: BuildMessage) => {
        if (message.type === 'event') return this.#onEvent(message.event)
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
      const settle = () => {
        child.off('message', receive)
        child.off('exit', lost)
      }
      child.on('message', receive)
      child.on('exit', lost)
      child.send(request)
    })
  }

  /** Ends the build that runs, which rejects; the next one starts a process again. */
  interrupt(): void {
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
    const [, script = ''] = process.argv
    const child = spawn(process.execPath, [script, BUILD_PROCESS], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    })
    child.on('exit', () => {
      if (this.#process === child) this.#process = undefined
    })
    return child
  }
}
