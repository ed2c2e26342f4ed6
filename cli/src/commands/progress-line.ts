/** The line that shows how much of a file has arrived, on a terminal. */

const INTERVAL_MS = 200
const MEGABYTE = 1_000_000

export interface ProgressLine {
  show: (bytes: number, total: number | undefined) => void
  clear: () => void
}

/** @param out @default standard error */
export function progressLine(
  out: Pick<NodeJS.WriteStream, 'isTTY' | 'write'> = process.stderr,
): ProgressLine {
  let shownAt = 0
  return {
    show(bytes, total) {
      const now = performance.now()
      if (!out.isTTY || (shownAt > 0 && now - shownAt < INTERVAL_MS && bytes !== total)) return
      shownAt = now
      const of = total === undefined ? '' : ` of ${megabytes(total)}`
      out.write(`\r\x1b[K… saving ${megabytes(bytes)}${of} MB`)
    },
    clear() {
      if (shownAt > 0) out.write('\r\x1b[K')
      shownAt = 0
    },
  }
}

function megabytes(bytes: number): string {
  return (bytes / MEGABYTE).toFixed(1)
}
