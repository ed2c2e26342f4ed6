/** The host's end of a body that the native gateway reads. */
import type { Pipe } from '../http/pipe.ts'
import { SMALL, type Turn } from './large-answers.ts'

/** Bytes that are read at once. */
const PIECE = 64 * 1024

export class PipeSource {
  readonly #pipe: Pipe
  /** What runs when somebody waits for bytes, and when that is over. The guest does not have the thread meanwhile. */
  readonly #waits: <T>(wait: Promise<T>) => Promise<T>
  readonly #onOver: () => void
  readonly #turn: Turn | undefined
  #reason: { thrown: unknown } | undefined

  /**
   * @param onOver called when nothing more is read of it.
   * @param turn for which it waits if it is large: the whole of it, or each part of a stream. @default it does not wait
   */
  constructor(
    pipe: Pipe,
    waits: <T>(wait: Promise<T>) => Promise<T> = (wait) => wait,
    onOver: () => void = () => undefined,
    turn?: Turn,
  ) {
    this.#pipe = pipe
    this.#waits = waits
    this.#onOver = onOver
    this.#turn = turn
  }

  /** Before the whole, which has so many bytes, becomes a text. @returns a promise only if it has to wait. */
  enter(bytes: number): Promise<void> | undefined {
    const turn = this.#turn?.enter(bytes)
    return turn && this.#waits(turn)
  }

  /** Lets the writer know that the rest is not read. */
  cancel(): void {
    this.#pipe.cancel()
    this.#onOver()
  }

  /** The same, but a read fails with the reason, so that the reader does not take a part for the whole. */
  abort(reason: unknown): void {
    if (this.#pipe.ended && this.#pipe.queued === 0) return
    this.#reason ??= { thrown: reason }
    this.#pipe.cancel()
  }

  /**
   * What has arrived.
   *
   * @returns an empty list if nothing has, `undefined` at the end.
   * @throws what the body ended with early.
   */
  now(): Uint8Array | undefined {
    if (this.#reason) throw this.#reason.thrown
    const piece = this.#pipe.read(PIECE)
    if (piece === undefined) this.#onOver()
    return piece
  }

  /** The next bytes, once they have arrived. @returns `undefined` at the end. @throws as {@link now}. */
  async next(): Promise<Uint8Array | undefined> {
    for (;;) {
      const piece = this.now()
      if (piece?.length !== 0) return piece
      await this.#waits(
        new Promise<void>((resolve) => {
          this.#pipe.onReady(resolve)
        }),
      )
    }
  }

  stream(): ReadableStream<Uint8Array> {
    let bytes = 0
    return new ReadableStream<Uint8Array>(
      {
        pull: async (controller) => {
          const piece = await this.next()
          if (piece === undefined) return void controller.close()
          bytes += piece.length
          if (bytes > SMALL) {
            const turn = this.enter(bytes)
            bytes = 0
            if (turn) await turn
            // The request may have ended while it waited.
            if (this.#reason) throw this.#reason.thrown
          }
          controller.enqueue(piece)
        },
        cancel: () => this.cancel(),
      },
      { highWaterMark: 0 },
    )
  }
}
