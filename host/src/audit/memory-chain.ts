/** The chain of an audit log that is not written to a file; each start of the host begins one. */
import { chained, hashOf, START } from './chain.ts'

export class MemoryChain {
  readonly #onLine: (line: string) => void
  #head = START

  constructor(onLine: (line: string) => void) {
    this.#onLine = onLine
  }

  /**
   * @param entry JSON text of an object, in one line.
   * @returns `true`: it is as safe as any other.
   */
  append(entry: string): true {
    const line = chained(entry, this.#head)
    this.#head = { seq: this.#head.seq + 1, hash: hashOf(line) }
    this.#onLine(line)
    return true
  }
}
