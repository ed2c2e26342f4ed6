/** What a guest prints, cut into lines. */
import { StringDecoder } from 'node:string_decoder'
import type { LogStream } from '../wire/messages.ts'

/** A line longer than this is reported in pieces. */
const LINE_LIMIT = 16 * 1024

/** What a line counts besides its length: millions of empty ones cost as much as long ones. */
const LINE_BYTES = 32

/** Output is taken in pieces of so many bytes, so that a guest cannot have its whole memory copied. */
const PIECE = 64 * 1024

/**
 * Bytes of one request's lines for the audit log that do not count as output: a list of 50 calls with their arguments
 * has a fifth of it.
 */
const AUDIT_LIMIT = 8 * 1024 * 1024

/** How much of its output an instance may still have reported for the request it serves. */
class Allowance {
  readonly #limit: number
  left: number
  #audited = 0
  /** Whether it was reported that further output is dropped. */
  isReported = false

  constructor(limit: number) {
    this.#limit = limit
    this.left = limit
  }

  get notice(): string {
    return `… output of this request beyond ${Math.floor(this.#limit / 1024)} KiB was dropped`
  }

  /** What was counted for a line was not output. */
  giveBack(bytes: number): void {
    this.#audited += bytes
    if (this.#audited <= AUDIT_LIMIT) this.left += bytes
  }

  reset(): void {
    this.left = this.#limit
    this.#audited = 0
    this.isReported = false
  }
}

/** Cuts one stream into lines. */
export class LineLog {
  readonly #emit: (line: string) => unknown
  readonly #allowance: Allowance
  #decoder = new StringDecoder('utf8')
  #rest = ''

  constructor(emit: (line: string) => unknown, allowance: Allowance) {
    this.#emit = emit
    this.#allowance = allowance
  }

  /**
   * Takes `size` bytes, as far as they are allowed.
   *
   * @param read gives a part of them.
   */
  writeFrom(size: number, read: (from: number, length: number) => Uint8Array): void {
    for (let from = 0; from < size && !this.#allowance.isReported; from += PIECE) {
      this.write(read(from, Math.min(PIECE, size - from)))
    }
  }

  write(bytes: Uint8Array): void {
    const allowance = this.#allowance
    if (allowance.isReported) return
    const taken = bytes.length <= allowance.left ? bytes : bytes.subarray(0, allowance.left)
    allowance.left -= taken.length
    const lines = (this.#rest + this.#decoder.write(Buffer.from(taken))).split('\n')
    this.#rest = lines.pop() ?? ''
    for (const line of lines) this.#report(line)
    if (this.#rest.length > LINE_LIMIT) this.flush()
    if (taken.length < bytes.length || allowance.left < 0) this.#reportDropped()
  }

  /** Reports what stands after the last line end. */
  flush(): void {
    const rest = this.#rest + this.#decoder.end()
    this.#rest = ''
    if (rest !== '') this.#report(rest)
  }

  #report(line: string): void {
    if (this.#allowance.left < 0) return
    this.#allowance.left -= LINE_BYTES
    if (this.#emit(line) === true) this.#allowance.giveBack(line.length + 1 + LINE_BYTES)
  }

  #reportDropped(): void {
    this.flush()
    this.#allowance.isReported = true
    this.#emit(this.#allowance.notice)
  }
}

/** Both streams of an instance, with one limit for a request. */
export class GuestOutput {
  readonly streams: Readonly<Record<LogStream, LineLog>>
  readonly #allowance: Allowance

  /**
   * @param limit bytes of output that are reported of one request.
   * @param emit returns `true` for a line that does not count.
   */
  constructor(limit: number, emit: (stream: LogStream, line: string) => unknown) {
    const allowance = (this.#allowance = new Allowance(limit))
    this.streams = {
      stdout: new LineLog((line) => emit('stdout', line), allowance),
      stderr: new LineLog((line) => emit('stderr', line), allowance),
    }
  }

  /** The request is over: nothing of its output may show up in the next one's. */
  end(): void {
    this.streams.stdout.flush()
    this.streams.stderr.flush()
    this.#allowance.reset()
  }
}
