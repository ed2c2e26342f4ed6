import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client'
import type { ProcessConfig } from '../config/server-config.ts'
import { ProcessError, ViolationError } from '../errors.ts'
import { settlesWithin } from '../wait.ts'
import { MessageReader, type MessageReaderOptions } from './message-reader.ts'
import { type Child, endTree, type Patience, spawnTree } from './process-tree.ts'

export interface ProcessOptions extends Patience, MessageReaderOptions {
  /** Called with each chunk of stderr. */
  onStderr?: (text: string) => void
}

/** How long to wait for output after the process has ended; a child process it left behind may keep the pipe open. */
const LAST_OUTPUT_MS = 200
/** How long a process that has closed a pipe may keep running. */
const EXIT_MS = 1000

/**
 * A server's process with one JSON-RPC message per line on its standard streams. The official transport does not end
 * child processes, does not keep the end of stderr, and ignores a line that is not JSON.
 */
export class ProcessTransport implements Transport {
  onclose?: () => void
  onerror?: (error: Error) => void
  onmessage?: Transport['onmessage']
  /** The official client recognizes a transport over standard streams by `stderr` and `pid`. */
  readonly stderr = null
  readonly #child: Child
  readonly #options: ProcessOptions
  readonly #stderrTail = new StderrTail()
  readonly #reader: MessageReader
  #started = false
  #failure: ProcessError | ViolationError | undefined
  #ending: Promise<void> | undefined

  /** @throws {ProcessError} when it cannot be started. */
  static async spawn(config: ProcessConfig, options: ProcessOptions): Promise<ProcessTransport> {
    let child: Child
    try {
      child = spawnTree(config)
    } catch (cause) {
      // Such as a NUL in an argument, or a folder that is a file.
      throw new ProcessError(cannotStart(config, options.name, cause as Error), { cause })
    }
    await new Promise<void>((resolve, reject) => {
      child.once('spawn', resolve)
      child.once('error', (cause) => {
        void endTree(child)
        reject(new ProcessError(cannotStart(config, options.name, cause), { cause }))
      })
    })
    return new ProcessTransport(child, options)
  }

  private constructor(child: Child, options: ProcessOptions) {
    this.#child = child
    this.#options = options
    this.#reader = new MessageReader(options, {
      message: (message) => this.onmessage?.(message),
      invalid: (error) => this.onerror?.(error),
    })
    child.once('exit', (code, signal) => void this.#exited(code, signal))
    child.on('error', (error) => this.onerror?.(error))
    // A broken pipe is the first sign of a dying process; the cause is known when it has exited.
    child.stdin.on('error', () => void this.#expectExit('closed its input'))
    child.stdout.on('error', () => void this.#expectExit('broke its output'))
    child.stdout.once('end', () => void this.#expectExit('closed its output'))
    child.stderr.on('error', () => {})
    child.stderr.on('data', (chunk: Buffer) => {
      this.#stderrTail.add(chunk)
      options.onStderr?.(chunk.toString('utf8'))
    })
  }

  get pid(): number {
    return this.#child.pid ?? 0
  }

  /** The last lines that the process wrote to stderr. */
  get stderrTail(): string[] {
    return this.#stderrTail.lines
  }

  /** Why the process ended; `undefined` while it runs and when `close` ended it. */
  get failure(): ProcessError | ViolationError | undefined {
    return this.#failure
  }

  /** May be called twice: the official client starts it to probe the revision, and again to connect. */
  async start(): Promise<void> {
    if (this.#failure) throw this.#failure
    if (this.#started) return
    this.#started = true
    this.#child.stdout.on('data', (chunk: Buffer) => this.#read(chunk))
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (this.#failure) throw this.#failure
    const { pending } = this.#options
    if ('method' in message) {
      if ('id' in message) pending.add(message.id)
      else if (message.method === 'notifications/cancelled') {
        const id = message.params?.['requestId']
        if (typeof id === 'number' || typeof id === 'string') pending.settle(id)
      }
    }
    // Do not wait for a full pipe: callers wait for the answer, and the end of the process ends every wait.
    this.#child.stdin.write(`${JSON.stringify(message)}\n`)
  }

  close(): Promise<void> {
    return (this.#ending ??= this.#end())
  }

  async #end(): Promise<void> {
    // First, so that pending requests end before the process is given time to exit.
    this.onclose?.()
    await endTree(this.#child, this.#options)
    for (const stream of [this.#child.stdin, this.#child.stdout, this.#child.stderr])
      stream.destroy()
  }

  #read(chunk: Buffer): void {
    if (this.#ending) return
    try {
      this.#reader.push(chunk)
    } catch (error) {
      this.#fail(
        new ViolationError(`server "${this.#options.name}" sent ${(error as Error).message}`),
      )
    }
  }

  async #exited(exitCode: number | null, signal: NodeJS.Signals | null): Promise<void> {
    if (this.#ending) return
    const { stdout, stderr } = this.#child
    const drained = [stdout, stderr].map(
      (stream) =>
        new Promise((resolve) => (stream.closed ? resolve(0) : stream.once('close', resolve))),
    )
    // Accept an answer that the process wrote just before it ended.
    await settlesWithin(Promise.all(drained), LAST_OUTPUT_MS)
    const how = signal === null ? `ended with code ${exitCode}` : `was ended by ${signal}`
    this.#fail(new ProcessError(this.#withStderr(how), { exitCode, signal }))
  }

  async #expectExit(what: string): Promise<void> {
    if (await settlesWithin(new Promise((resolve) => this.#child.once('exit', resolve)), EXIT_MS))
      return
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return
    this.#fail(new ProcessError(this.#withStderr(what)))
  }

  #fail(failure: ProcessError | ViolationError): void {
    if (this.#failure || this.#ending) return
    this.#failure = failure
    void this.close()
  }

  #withStderr(how: string): string {
    const lines = this.stderrTail
    const quote = lines.length === 0 ? '' : `; the end of its stderr:\n  ${lines.join('\n  ')}`
    return `server "${this.#options.name}" ${how}${quote}`
  }
}

function cannotStart({ command, cwd }: ProcessConfig, name: string, cause: Error): string {
  const code = (cause as NodeJS.ErrnoException).code
  let why = cause.message
  if (code === 'ENOENT') {
    why = `"${command}" is not found${cwd === undefined ? '' : `, or there is no folder ${cwd}`}`
  } else if (code === 'EACCES' && !/[/\\]/.test(command)) {
    // The system also reports this when `PATH` has a folder that this user cannot read.
    why = `"${command}" is not found, or this user may not run it`
  }
  return `server "${name}" could not be started: ${why}`
}

const KEPT_BYTES = 8 * 1024
const QUOTED_LINES = 8

/** Keeps the last 8 KB that a process wrote to stderr. */
export class StderrTail {
  #kept: Buffer[] = []
  #bytes = 0

  add(chunk: Buffer): void {
    // Copy it: a slice would keep the whole chunk in memory.
    const part = Buffer.from(chunk.subarray(-KEPT_BYTES))
    this.#kept.push(part)
    this.#bytes += part.length
    while (this.#bytes - (this.#kept[0]?.length ?? 0) >= KEPT_BYTES) {
      this.#bytes -= this.#kept.shift()?.length ?? 0
    }
  }

  /** The last lines that are not empty. */
  get lines(): string[] {
    const text = Buffer.concat(this.#kept).subarray(-KEPT_BYTES).toString('utf8')
    return text
      .split(/\r?\n/)
      .map((line) => line.trimEnd())
      .filter((line) => line !== '')
      .slice(-QUOTED_LINES)
  }
}
