/**
 * A bounded byte queue between one writer and one reader: the body of every request and response.
 *
 * @module
 */
import type { HttpError } from './http-error.ts'
import { type Pollable, Signal } from './readiness.ts'

/**
 * Bytes a pipe holds before its writer has to wait.
 *
 * Bounds what a slow reader costs; the writer may pass it by one chunk of its own.
 */
export const PIPE_CAPACITY = 128 * 1024

const NOTHING = new Uint8Array(0)

/** Where a guest's input stream reads from. */
export interface ByteSource extends Pollable {
  /**
   * @returns at most `max` bytes, empty when there are none yet, `undefined` at the end.
   * @throws {HttpError} when the writer failed.
   */
  read(max: number): Uint8Array | undefined
}

/** Where a guest's output stream writes to. */
export interface ByteSink {
  /** Bytes that may be written now; `undefined` once the reader has gone. */
  permit(): number | undefined
  write(chunk: Uint8Array): void
  readonly writable: Pollable
}

export class Pipe implements ByteSource, ByteSink {
  #chunks: Uint8Array[] = []
  #queued = 0
  #ended = false
  #cancelled = false
  #discards = false
  #failure: HttpError | undefined
  #whenCancelled: (() => void) | undefined
  readonly #readable = new Signal()
  readonly #drained = new Signal()

  /** A pipe that ended before it began. */
  static empty(): Pipe {
    const pipe = new Pipe()
    pipe.end()
    return pipe
  }

  /** The writer said that nothing follows. */
  get ended(): boolean {
    return this.#ended
  }

  get cancelled(): boolean {
    return this.#cancelled
  }

  get failure(): HttpError | undefined {
    return this.#failure
  }

  /** Bytes written and not read. */
  get queued(): number {
    return this.#queued
  }

  permit(): number | undefined {
    if (this.#cancelled) return this.#discards ? PIPE_CAPACITY : undefined
    return Math.max(0, PIPE_CAPACITY - this.#queued)
  }

  /**
   * Lets the writer go on after its reader has gone, and drops what it writes.
   *
   * For the body of a request: a server may answer before it has read everything, and a guest's engine that is
   * refused a write then gives the whole request up instead of reading the answer.
   */
  discardWhenCancelled(): void {
    this.#discards = true
  }

  /** Takes ownership of `chunk`: it must not change afterwards. */
  write(chunk: Uint8Array): void {
    if (this.#cancelled || this.#ended || this.#failure || chunk.length === 0) return
    this.#chunks.push(chunk)
    this.#queued += chunk.length
    this.#readable.notify()
  }

  end(): void {
    this.#ended = true
    this.#readable.notify()
  }

  /** The writer broke off: the reader gets what is queued, then hears why. */
  fail(failure: HttpError): void {
    if (this.#ended || this.#failure) return
    this.#failure = failure
    this.#readable.notify()
  }

  /** The reader wants no more: the writer's next write fails. */
  cancel(): void {
    if (this.#cancelled) return
    this.#cancelled = true
    this.#chunks = []
    this.#queued = 0
    this.#drained.notify()
    this.#readable.notify()
    this.#whenCancelled?.()
  }

  /** Calls `done` when the reader goes before the end was written. */
  whenCancelled(done: () => void): void {
    if (this.#cancelled) done()
    else this.#whenCancelled = done
  }

  read(max: number): Uint8Array | undefined {
    const first = this.#chunks[0]
    if (first === undefined) {
      if (this.#failure) throw this.#failure
      return this.#ended || this.#cancelled ? undefined : NOTHING
    }
    const chunk = first.length <= max ? first : first.subarray(0, max)
    if (chunk === first) this.#chunks.shift()
    else this.#chunks[0] = first.subarray(max)
    this.#queued -= chunk.length
    if (this.#queued < PIPE_CAPACITY) this.#drained.notify()
    return chunk
  }

  ready(): boolean {
    return this.#chunks.length > 0 || this.#ended || this.#cancelled || this.#failure !== undefined
  }

  onReady(wake: () => void): () => void {
    return this.#readable.subscribe(wake)
  }

  readonly writable: Pollable = {
    ready: () => this.permit() !== 0,
    onReady: (wake) => this.#drained.subscribe(wake),
  }
}
