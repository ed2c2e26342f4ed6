/** The chain of an audit log that is not written to a file; each start of the host begins one. */
import { chained, hashOf, START } from './hash-chain.ts'

export class MemoryChain {
  readonly #onLine: (line: string) => void
  #head = START

  constructor(onLine: (line: string) => void) {
    this.#onLine = onLine
  }

  /**
   * @param entries JSON text of objects, each in one line.
   * @returns `true`, because a line in memory cannot fail to be written.
   */
  append(...entries: readonly string[]): true {
    for (const entry of entries) {
      const line = chained(entry, this.#head)
      this.#head = { seq: this.#head.seq + 1, hash: hashOf(line) }
      this.#onLine(line)
    }
    return true
  }
}
