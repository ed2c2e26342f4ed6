/** Reads a body of limited size. */

/** The body is larger than it may be. */
export class TooLarge extends Error {
  override readonly name = 'TooLarge'
}

/**
 * @param limit in bytes; what lies beyond is not read.
 * @throws {TooLarge}
 */
export async function readLimited(
  response: Response,
  limit: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const reader = response.body?.getReader()
  if (!reader) return new Uint8Array()
  const parts: Uint8Array[] = []
  let size = 0
  const give = async () => {
    // No read is pending here: cancelling during one fails in the components' engine.
    await reader.cancel()
    throw new TooLarge(`more than ${limit} bytes`)
  }
  if (Number(response.headers.get('content-length') ?? 0) > limit) await give()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) break
    size += value.length
    if (size > limit) await give()
    parts.push(value)
  }
  const whole = new Uint8Array(size)
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}
