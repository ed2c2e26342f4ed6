/** The audit log of a host: what gateways and the host itself write. */
import { AuditFile, event } from './audit-file.ts'

/** Part of `HostOptions`. */
export interface AuditOptions {
  /**
   * File of the audit log: a line for each call and each decision, of every component with `tool_components`. Only this
   * user can read it. It is continued if it exists.
   *
   * @default none
   */
  auditLog?: string
  /** Refuses all requests with 503 while the log cannot be written. @default false: a problem is reported */
  auditRequired?: boolean
  /**
   * Puts each line on the disk before the request is answered. Otherwise the system does so within seconds: the end of
   * this process loses nothing, the end of the machine's power may.
   *
   * @default false
   */
  auditSync?: boolean
  /** Bytes after which the file is put aside under another name. @default 104_857_600 */
  auditMaxBytes?: number
}

const MAX_BYTES = 100 * 1024 ** 2

/** Milliseconds between two looks at the file. */
const CHECK_MS = 1000

export class AuditLog {
  readonly required: boolean
  readonly #file: AuditFile
  readonly #timer: NodeJS.Timeout
  #onTick: () => void = () => {}

  /** @throws {AuditFileError} */
  constructor(path: string, options: AuditOptions, onProblem: (message: string) => void) {
    this.required = options.auditRequired ?? false
    const what = this.required
      ? '; requests are refused until it can (--audit-required)'
      : '; requests are served without it'
    this.#file = new AuditFile(path, {
      maxBytes: options.auditMaxBytes ?? MAX_BYTES,
      sync: options.auditSync ?? false,
      onProblem: (message) =>
        onProblem(this.#file.failure === undefined ? message : message + what),
    })
    this.#file.append(event('started'))
    this.#timer = setInterval(() => {
      this.#onTick()
      this.#file.check()
    }, CHECK_MS).unref()
  }

  /** Called once a second, and before the end. */
  onTick(call: () => void): void {
    this.#onTick = call
  }

  /** @param line JSON text of an object. */
  append(line: string): void {
    this.#file.append(line)
  }

  writable(): boolean {
    return this.#file.failure === undefined || this.#file.flush()
  }

  refused(sender: object, count: number): void {
    this.#file.append(event('refused', { outcome: 'refused', ...sender, count }))
  }

  close(): void {
    clearInterval(this.#timer)
    this.#onTick()
    this.#file.append(event('stopped'))
    this.#file.close()
  }
}
