/**
 * One part of a file, for bodies that only come whole.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9110#name-range-requests
 */

/** First and last byte of a part, both included. */
export interface ByteRange {
  first: number
  last: number
}

/**
 * What a `Range` header asks for.
 *
 * @param size bytes of the whole file.
 * @returns undefined where the whole file is the answer: no header, another unit, several parts, not understood.
 */
export function parseRange(
  header: string | null,
  size: number,
): ByteRange | 'unsatisfiable' | undefined {
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/i.exec(header ?? '') ?? []
  if (first === '' && last === '') return undefined
  if (first === '') {
    const length = Math.min(Number(last), size)
    return length === 0 ? 'unsatisfiable' : { first: size - length, last: size - 1 }
  }
  if (last !== '' && Number(last) < Number(first)) return undefined
  if (Number(first) >= size) return 'unsatisfiable'
  return { first: Number(first), last: last === '' ? size - 1 : Math.min(Number(last), size - 1) }
}

/**
 * Whether `If-Range` permits to send the part. If not, the client wants the whole file.
 *
 * @param current headers of the file as it is now.
 */
export function isStillTheSame(ifRange: string | null, current: Headers): boolean {
  if (ifRange === null) return true
  // A weak tag does not promise the same bytes.
  if (ifRange.startsWith('"')) return ifRange === current.get('etag')
  return ifRange === current.get('last-modified')
}

/** Passes on this part of the bytes that are written, and ends the readable side after it. */
export function slice({
  first,
  last,
}: ByteRange): TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>> {
  let at = 0
  return new TransformStream({
    transform(bytes, controller) {
      const part = bytes.subarray(Math.max(first - at, 0), Math.max(last + 1 - at, 0))
      at += bytes.length
      if (part.length > 0) controller.enqueue(part)
      if (at > last) controller.terminate()
    },
  })
}
