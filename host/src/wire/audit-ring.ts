/**
 * Lines of gateways on their way from a worker to the audit log, in memory that both threads see.
 *
 * A message for each line would wake the main thread in the middle of a call, which costs as much as all else about the
 * line. Here it lies until the main thread looks: with the next message of the worker, and every 50 ms. What needs it sooner
 * asks for it. When the thread is ended, its lines are still there.
 */

/** Bytes of lines. A power of two; a gateway's line has at most 12,000 characters. */
const SIZE = 2 ** 18

/** Before each line: its length, and the number of its request. */
const HEAD = 8

/** Positions are numbers of bytes since the start. They wrap around, so they are compared by their difference. */
const CELL = {
  written: 0,
  taken: 1,
  /** Where the last line ends that is not in the log although it must. */
  refused: 2,
  anyRefused: 3,
} as const
const CELLS_BYTES = 16

/** Bytes after which a refused line is forgotten: no request waits as long, and positions come again. */
const RECENT = 2 ** 30

/** In the place of a request's number. */
const NO_REQUEST = -1

/** Milliseconds between looks of a thread that waits. It is woken, unless that was between two instructions. */
const PAUSE_MS = 1

export interface AuditLine {
  line: string
  /** That it is about. */
  request: number | undefined
}

export const auditMemory = (): SharedArrayBuffer => new SharedArrayBuffer(CELLS_BYTES + SIZE)

export class AuditRing {
  readonly #cells: Int32Array
  readonly #bytes: Buffer

  /** @param memory shared by both threads; see {@link auditMemory}. */
  constructor(memory: SharedArrayBuffer) {
    this.#cells = new Int32Array(memory, 0, CELLS_BYTES / 4)
    this.#bytes = Buffer.from(memory, CELLS_BYTES)
  }

  /**
   * The worker puts a line in. It waits if there is no room.
   *
   * @param ask makes the main thread look.
   * @returns the position with which {@link isTaken} is asked.
   */
  put({ line, request = NO_REQUEST }: AuditLine, ask: () => void): number {
    const length = Buffer.byteLength(line)
    const size = HEAD + length
    const from = Atomics.load(this.#cells, CELL.written)
    const end = (from + size) | 0
    if (((end - Atomics.load(this.#cells, CELL.taken)) | 0) > SIZE) {
      ask()
      // All room is enough: a line has at most 16 KiB.
      this.wait((end - SIZE) | 0)
    }
    const at = from & (SIZE - 1)
    // A line that goes over the end of the memory is put together elsewhere.
    const isWhole = at + size <= SIZE
    const [bytes, start] = isWhole ? [this.#bytes, at] : [Buffer.allocUnsafe(size), 0]
    bytes.writeInt32BE(length, start)
    bytes.writeInt32BE(request, start + 4)
    bytes.write(line, start + HEAD)
    if (!isWhole) {
      this.#bytes.set(bytes.subarray(0, SIZE - at), at)
      this.#bytes.set(bytes.subarray(SIZE - at), 0)
    }
    Atomics.store(this.#cells, CELL.written, end)
    return end
  }

  /** Takes all lines, on the main thread. @param each returns whether the call of the line may continue. */
  take(each: (line: AuditLine) => boolean): void {
    const end = Atomics.load(this.#cells, CELL.written)
    let at = Atomics.load(this.#cells, CELL.taken)
    if (at === end) return
    while (at !== end) {
      const [head, start] = this.#piece(at, HEAD)
      const size = head.readInt32BE(start)
      const request = head.readInt32BE(start + 4)
      const [text, from] = this.#piece(at + HEAD, size)
      const line = text.toString('utf8', from, from + size)
      at = (at + HEAD + size) | 0
      if (!each({ line, request: request === NO_REQUEST ? undefined : request })) {
        Atomics.store(this.#cells, CELL.refused, at)
        Atomics.store(this.#cells, CELL.anyRefused, 1)
      }
      Atomics.store(this.#cells, CELL.taken, at)
    }
    Atomics.notify(this.#cells, CELL.taken)
  }

  /** Whether the line that ends there was taken. */
  isTaken(position: number): boolean {
    return ((Atomics.load(this.#cells, CELL.taken) - position) | 0) >= 0
  }

  /** Whether that line, or one soon after it, must be in the log and is not. */
  isRefused(position: number): boolean {
    if (Atomics.load(this.#cells, CELL.anyRefused) === 0) return false
    const since = (Atomics.load(this.#cells, CELL.refused) - position) | 0
    return since >= 0 && since < RECENT
  }

  /** Blocks the thread until the line is taken. */
  wait(position: number): void {
    while (!this.isTaken(position)) {
      Atomics.wait(this.#cells, CELL.taken, Atomics.load(this.#cells, CELL.taken), PAUSE_MS)
    }
  }

  /** The same without blocking. */
  async whenTaken(position: number): Promise<void> {
    while (!this.isTaken(position)) {
      const now = Atomics.load(this.#cells, CELL.taken)
      await Atomics.waitAsync(this.#cells, CELL.taken, now, PAUSE_MS).value
    }
  }

  /** Where `size` bytes are: in the memory or, if they go over its end, in a copy. */
  #piece(position: number, size: number): [bytes: Buffer, start: number] {
    const at = position & (SIZE - 1)
    if (at + size <= SIZE) return [this.#bytes, at]
    const [end, start] = [this.#bytes.subarray(at), this.#bytes.subarray(0, at + size - SIZE)]
    return [Buffer.concat([end, start]), 0]
  }
}
