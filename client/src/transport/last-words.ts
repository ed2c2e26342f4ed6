const KEPT_BYTES = 8 * 1024
const QUOTED_LINES = 8

/** The end of what a process wrote to stderr; however much it writes, this much is kept. */
export class LastWords {
  #kept: Buffer[] = []
  #bytes = 0

  add(chunk: Buffer): void {
    // Copied, because a slice would keep the whole chunk alive.
    const part = Buffer.from(chunk.subarray(-KEPT_BYTES))
    this.#kept.push(part)
    this.#bytes += part.length
    while (this.#bytes - (this.#kept[0]?.length ?? 0) >= KEPT_BYTES) {
      this.#bytes -= this.#kept.shift()?.length ?? 0
    }
  }

  /** The last lines, whole ones where there are any. */
  get lines(): string[] {
    const text = Buffer.concat(this.#kept).subarray(-KEPT_BYTES).toString('utf8')
    return text
      .split(/\r?\n/)
      .map((line) => line.trimEnd())
      .filter((line) => line !== '')
      .slice(-QUOTED_LINES)
  }
}
