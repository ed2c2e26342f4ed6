/** The body of a large file in pieces, counted while it passes. */

/** Its length is not what it must be. */
export class WrongLength extends Error {
  override readonly name = 'WrongLength'
  readonly isTooLong: boolean
  constructor(isTooLong: boolean, message: string) {
    super(message)
    this.isTooLong = isTooLong
  }
}

/** The sender has gone, or sends nothing more. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted'
}

type Piece = Uint8Array<ArrayBuffer>

export class Pieces implements AsyncIterator<Piece> {
  readonly #reader: ReadableStreamDefaultReader<Piece> | undefined
  readonly #announced: number | undefined
  #maxBytes: number
  /** Read before they were asked for. */
  readonly #early: Piece[] = []
  #read = 0

  /** @param announced bytes, if the sender says it. */
  constructor(
    body: ReadableStream<Piece> | null,
    { announced, maxBytes }: { announced: number | undefined; maxBytes: number },
  ) {
    this.#reader = body?.getReader()
    this.#announced = announced
    this.#maxBytes = maxBytes
  }

  /** Bytes that have arrived. */
  get count(): number {
    return this.#read
  }

  /** @throws {WrongLength} */
  limitTo(maxBytes: number): void {
    this.#maxBytes = Math.min(this.#maxBytes, maxBytes)
    this.#check(Math.max(this.#read, this.#announced ?? 0))
  }

  /** The first bytes, which {@link next} gives again; fewer only if the body is shorter. */
  async head(bytes: number): Promise<Uint8Array> {
    this.#check(this.#announced ?? 0)
    while (this.#read < bytes) {
      const { done, value } = await this.#next()
      if (done === true) break
      this.#early.push(value)
    }
    const head = new Uint8Array(Math.min(bytes, this.#read))
    let at = 0
    for (const piece of this.#early) {
      const part = piece.subarray(0, head.length - at)
      head.set(part, at)
      at += part.length
    }
    return head
  }

  async next(): Promise<IteratorResult<Piece, undefined>> {
    const early = this.#early.shift()
    return early ? { done: false, value: early } : this.#next()
  }

  async #next(): Promise<IteratorResult<Piece, undefined>> {
    let result: ReadableStreamReadResult<Piece> | undefined
    try {
      result = await this.#reader?.read()
    } catch {
      throw new Interrupted('The upload was interrupted.')
    }
    if (!result || result.done) {
      if (this.#announced === undefined || this.#read === this.#announced) {
        return { done: true, value: undefined }
      }
      const text = `The body has ${this.#read} bytes, and Content-Length says ${this.#announced}.`
      throw new WrongLength(false, text)
    }
    this.#read += result.value.length
    this.#check(this.#read)
    return { done: false, value: result.value }
  }

  #check(bytes: number): void {
    if (bytes > this.#maxBytes) {
      throw new WrongLength(
        true,
        `The file has more than ${this.#maxBytes} bytes, which is the limit.`,
      )
    }
  }
}
