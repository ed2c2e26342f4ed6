/** `\n` */
const LINE_END = 10

/** Cuts a stream of bytes into lines; a long line costs no more than it is long. */
export class LineSplitter {
  readonly #maxBytes: number
  #parts: Buffer[] = []
  #bytes = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  /** @throws {RangeError} for a line that is longer than allowed. */
  push(chunk: Buffer, onLine: (line: string) => void): void {
    let from = 0
    for (let end = chunk.indexOf(LINE_END); end !== -1; end = chunk.indexOf(LINE_END, from)) {
      this.#keep(chunk.subarray(from, end))
      from = end + 1
      onLine(this.#take())
    }
    this.#keep(chunk.subarray(from))
  }

  #keep(part: Buffer): void {
    if (part.length === 0) return
    this.#bytes += part.length
    if (this.#bytes > this.#maxBytes) {
      throw new RangeError(`a line of more than ${this.#maxBytes} bytes`)
    }
    this.#parts.push(part)
  }

  #take(): string {
    const [first] = this.#parts
    const whole = this.#parts.length === 1 && first ? first : Buffer.concat(this.#parts)
    this.#parts = []
    this.#bytes = 0
    // A character may have been cut in two by the chunks, so the text is made of the whole line.
    return whole.toString('utf8')
  }
}
