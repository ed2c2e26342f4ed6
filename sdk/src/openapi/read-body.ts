/** The body of a response, up to a limit. */

export interface ReadBody {
  bytes: Uint8Array<ArrayBuffer>
  /** Whether there is more that was not read. */
  isCut: boolean
}

export async function readBody(response: Response, limit: number): Promise<ReadBody> {
  const reader = response.body?.getReader()
  const pieces: Uint8Array[] = []
  let length = 0
  let isCut = false
  while (reader) {
    const { done, value } = await reader.read()
    if (done) break
    const piece = value.subarray(0, limit - length)
    pieces.push(piece)
    length += piece.length
    if (piece.length === value.length) continue
    isCut = true
    // Not waited for: a server that goes on sending would delay the result.
    reader.cancel().catch(() => {})
    break
  }
  const bytes = new Uint8Array(length)
  let at = 0
  for (const piece of pieces) {
    bytes.set(piece, at)
    at += piece.length
  }
  return { bytes, isCut }
}
