/**
 * Messages as server-sent events.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http
 * @module
 */

/** Below the idle limits of common proxies; the official SDK's own. */
const KEEP_ALIVE_MS = 15_000

const HEADERS = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache',
  // nginx would hold the events back until the end.
  'x-accel-buffering': 'no',
}

/** @param left called when the client goes away before the end. */
export function eventStream(messages: AsyncGenerator<object>, left: () => void): Response {
  const encoder = new TextEncoder()
  let next: Promise<IteratorResult<object>> | undefined
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      let timer: ReturnType<typeof setTimeout> | undefined
      const idle = new Promise<undefined>((resolve) => {
        timer = setTimeout(() => resolve(undefined), KEEP_ALIVE_MS)
      })
      next ??= messages.next()
      const message = await Promise.race([next, idle])
      clearTimeout(timer)
      if (!message) return controller.enqueue(encoder.encode(': still working\n\n'))
      next = undefined
      if (message.done) return controller.close()
      const data = JSON.stringify(message.value)
      controller.enqueue(encoder.encode(`event: message\ndata: ${data}\n\n`))
    },
    cancel() {
      left()
      void messages.return(undefined)
    },
  })
  return new Response(body, { headers: HEADERS })
}
