/** A bounded byte queue between one writer and one reader: the body of every request and response. */
import type { HttpError } from './http-error.ts'
import { type Pollable, Signal } from './wake-signal.ts'

/**
 * Bytes a pipe holds before its writer has to wait.
 *
 * Bounds the memory a slow reader costs. The writer may exceed it by one chunk.
 */
export const PIPE_CAPACITY = 128 * 1024

/** Bytes a queued piece takes besides its content. */
export const PIECE_BYTES = 128

/** Queued pieces from which on those below {@link SMALL_PIECE} are merged: a 1-byte piece costs hundreds. */
const MANY_PIECES = 64
const SMALL_PIECE = 1024
const TAIL_BYTES = 4096

const NOTHING = new Uint8Array(0)

/** Counts the bytes that a pipe holds. */
export interface ByteAccount {
  /** Changes when everything was released: what was added before must not be released again. */
  readonly era: number
  add(bytes: number): void
}

/** Where a guest's input stream reads from. */
export interface ByteSource extends Pollable {
  /**
   * @returns at most `max` bytes, an empty array if none have arrived yet, `undefined` at the end.
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
  #account: ByteAccount | undefined
  /** The account's era when it was set. */
  #era = 0
  /** Buffer into which small pieces are merged, and how many of its bytes are used. */
  #tail: Uint8Array | undefined
  #tailUsed = 0

  /** @param account is charged for queued bytes. */
  constructor(account?: ByteAccount) {
    if (account) this.chargeTo(account)
  }

  /** A pipe that has already ended. */
  static empty(): Pipe {
    const pipe = new Pipe()
    pipe.end()
    return pipe
  }

  /** Whether the writer has finished. */
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

  /** What is written and not read. The next read may change it. */
  peek(): readonly Uint8Array[] {
    return this.#chunks
  }

  /** Charges queued bytes to this account from now on, and releases them from the previous one. */
  chargeTo(account: ByteAccount): void {
    const held = this.#queued + PIECE_BYTES * this.#chunks.length
    this.#charge(-held)
    this.#account = account
    this.#era = account.era
    this.#charge(held)
  }

  permit(): number | undefined {
    if (this.#cancelled) return this.#discards ? PIPE_CAPACITY : undefined
    return Math.max(0, PIPE_CAPACITY - this.#queued)
  }

  /**
   * Lets the writer continue after the reader has gone, and drops what it writes.
   *
   * For the body of a request: a server may answer before it has read everything. If a write is refused then, the
   * guest's engine gives up the whole request instead of reading the answer.
   */
  discardWhenCancelled(): void {
    this.#discards = true
  }

  /** Takes ownership of `chunk`: it must not change afterwards. */
  write(chunk: Uint8Array): void {
    if (this.#cancelled || this.#ended || this.#failure || chunk.length === 0) return
    this.#queued += chunk.length
    this.#charge(chunk.length)
    if (this.#chunks.length >= MANY_PIECES && chunk.length < SMALL_PIECE) this.#join(chunk)
    else this.#push(chunk)
    this.#readable.notify()
  }

  end(): void {
    this.#ended = true
    this.#readable.notify()
  }

  /** The writer failed: the reader gets what is queued, then `failure` is thrown. */
  fail(failure: HttpError): void {
    if (this.#ended || this.#failure) return
    this.#failure = failure
    this.#readable.notify()
  }

  /** Stops reading and drops what is queued. The writer's next write fails, unless writes are discarded. */
  cancel(): void {
    if (this.#cancelled) return
    this.#cancelled = true
    this.#charge(-this.#queued - PIECE_BYTES * this.#chunks.length)
    this.#chunks = []
    this.#queued = 0
    this.#drained.notify()
    this.#readable.notify()
    this.#whenCancelled?.()
  }

  /** Calls `done` when the reader cancels, at once if it already has. */
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
    this.#charge(chunk === first ? -chunk.length - PIECE_BYTES : -chunk.length)
    if (this.#queued < PIPE_CAPACITY) this.#drained.notify()
    return chunk
  }

  #charge(bytes: number): void {
    // After a reset the account belongs to another request.
    if (this.#account?.era === this.#era) this.#account.add(bytes)
  }

  #push(chunk: Uint8Array): void {
    this.#chunks.push(chunk)
    this.#charge(PIECE_BYTES)
  }

  /** Appends a small piece to the last one, if its buffer has room. No reader has a view of that room. */
  #join(chunk: Uint8Array): void {
    const last = this.#chunks.at(-1)
    let tail = this.#tail
    if (tail && last?.buffer === tail.buffer && this.#tailUsed + chunk.length <= TAIL_BYTES) {
      tail.set(chunk, this.#tailUsed)
      this.#tailUsed += chunk.length
      const joined = tail.subarray(last.byteOffset, this.#tailUsed)
      this.#chunks[this.#chunks.length - 1] = joined
      return
    }
    tail = this.#tail = new Uint8Array(TAIL_BYTES)
    tail.set(chunk)
    this.#tailUsed = chunk.length
    this.#push(tail.subarray(0, chunk.length))
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
