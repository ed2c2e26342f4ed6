/** The audit log of a host: what gateways and the host itself write, in a file, as OTLP logs, or both. */
import type { Resource } from '@opentelemetry/resources'
import type { LogSettings } from '../telemetry/settings.ts'
import { AuditFile, event } from './audit-file.ts'
import type { AuditOptions } from './audit-options.ts'
import { JobEnds } from './job-ends.ts'
import type { LogExport } from './log-export.ts'
import { MemoryChain } from './memory-chain.ts'

/** Where lines are sent, and how they name the sender. */
export interface AuditExport {
  settings: LogSettings
  resource: Resource
}

const MAX_BYTES = 100 * 1024 ** 2

/** Milliseconds between two looks at the file. */
const CHECK_MS = 1000

export class AuditLog {
  readonly required: boolean
  readonly #file: AuditFile | undefined
  readonly #export: LogExport | undefined
  readonly #chain: AuditFile | MemoryChain
  readonly #ends = new JobEnds()
  readonly #timer: NodeJS.Timeout
  /** Lines that came with answers, and are not written yet. */
  #onTick: () => void = () => {}

  private constructor(
    options: AuditOptions,
    sent: LogExport | undefined,
    onProblem: (message: string) => void,
  ) {
    this.required = options.auditRequired ?? false
    this.#export = sent
    const onLine = (line: string) => sent?.add(line)
    this.#file = options.auditLog
      ? this.#open(options.auditLog, options, onLine, onProblem)
      : undefined
    this.#chain = this.#file ?? new MemoryChain(onLine)
    this.append(event('started'))
    this.#timer = setInterval(() => {
      this.#onTick()
      this.#file?.check()
    }, CHECK_MS).unref()
  }

  /**
   * @param to where lines are sent.
   * @throws {AuditFileError}
   */
  static async open(
    options: AuditOptions,
    to: AuditExport | undefined,
    onProblem: (message: string) => void,
  ): Promise<AuditLog> {
    // Loaded only where lines are sent.
    const module = to && (await import('./log-export.ts'))
    const sent = to && (await module?.LogExport.start({ ...to, onProblem }))
    return new AuditLog(options, sent, onProblem)
  }

  /** Called once a second, and before the end. */
  onTick(call: () => void): void {
    this.#onTick = call
  }

  /** @param line JSON text of an object. @returns whether it is written, or sent. */
  append(line: string): boolean {
    return this.#chain.append(line)
  }

  /**
   * @param line that a gateway has printed.
   * @returns whether what it is about may go on.
   */
  take(line: string): boolean {
    return this.#ends.isRepeated(line) || this.append(line) || !this.required
  }

  /** Takes lines that came with an answer, in one write, before the answer is sent: who has an answer has a line. */
  takeTogether(lines: readonly string[]): void {
    this.#chain.append(...lines.filter((line) => !this.#ends.isRepeated(line)))
  }

  writable(): boolean {
    if (this.#file) return this.#file.failure === undefined || this.#file.flush()
    return this.#export?.isFull !== true
  }

  refused(sender: object, count: number): void {
    this.append(event('refused', { outcome: 'refused', ...sender, count }))
  }

  killed(about: object): void {
    this.append(event('killed', about))
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    this.#onTick()
    this.append(event('stopped'))
    this.#file?.close()
    await this.#export?.close()
  }

  #open(
    path: string,
    { auditMaxBytes = MAX_BYTES, auditSync = false }: AuditOptions,
    onLine: (line: string) => void,
    onProblem: (message: string) => void,
  ): AuditFile {
    const what = this.required
      ? '; requests are refused until it can (--audit-required)'
      : '; requests are served without it'
    const file: AuditFile = new AuditFile(path, {
      maxBytes: auditMaxBytes,
      sync: auditSync,
      onLine,
      onProblem: (message) => onProblem(file.failure === undefined ? message : message + what),
    })
    return file
  }
}
