/** Whether a chunk arrives when it is written, and not at the end of all. */

export interface Arrivals {
  text: string
  /**
   * For each chunk but the last one, whether it came before the next one was made. A busy machine delivers some late; one that
   * is buffered to the end delivers all late.
   */
  isBeforeNext: boolean[]
}

/** @param response whose chunks end with the time at which they were made, in milliseconds since 1970. */
export async function arrivals({ body }: Response): Promise<Arrivals> {
  const decoder = new TextDecoder()
  const cameAt: number[] = []
  let text = ''
  for await (const chunk of body as ReadableStream<Uint8Array>) {
    text += decoder.decode(chunk, { stream: true })
    const seen = timesIn(text).length
    while (cameAt.length < seen) cameAt.push(Date.now())
  }
  const isBeforeNext = timesIn(text)
    .slice(1)
    .map((madeAt, nth) => (cameAt[nth] ?? Infinity) < madeAt)
  return { text, isBeforeNext }
}

function timesIn(text: string): number[] {
  return [...text.matchAll(/ (\d{13})\n/g)].map(([, time]) => Number(time))
}
