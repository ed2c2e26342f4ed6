/**
 * Messages as they come: server-sent events, or one JSON document a line.
 *
 * @see https://html.spec.whatwg.org/multipage/server-sent-events.html
 */

/** Below the idle limits of common proxies; the official SDK's own. */
const KEEP_ALIVE_MS = 15_000

const HEADERS = {
  // A proxy that compresses would collect first.
  'cache-control': 'no-cache, no-transform',
  // nginx would hold the events back until the end.
  'x-accel-buffering': 'no',
}

export interface StreamForm {
  type: string
  word: (message: object) => string
  /** Sent while nothing happens. */
  idle: () => string
  /** Milliseconds of silence before that. @default 15 seconds */
  idleMs?: number
}

/** @param event of a message. @default 'message' */
function serverSentEvents(event: (message: object) => string = () => 'message'): StreamForm {
  return {
    type: 'text/event-stream',
    word: (message) => `event: ${event(message)}\ndata: ${JSON.stringify(message)}\n\n`,
    idle: () => ': still working\n\n',
  }
}

/** @param idle message that says nothing new. */
export function jsonLines(idle: () => object): StreamForm {
  const word = (message: object) => `${JSON.stringify(message)}\n`
  return { type: 'application/x-ndjson', word, idle: () => word(idle()) }
}

/**
 * Messages with a `type` in the form that the client accepts: lines of JSON, or events of that type.
 *
 * @param idle message that says nothing new.
 */
export function typedForm({ headers }: Request, idle: () => object): StreamForm {
  return headers.get('accept')?.includes('application/x-ndjson')
    ? jsonLines(idle)
    : serverSentEvents((message) => (message as { type: string }).type)
}

/** @param left called when the client goes away before the end. */
export function eventStream(
  messages: AsyncGenerator<object>,
  left: () => void,
  { type, word, idle, idleMs = KEEP_ALIVE_MS }: StreamForm = serverSentEvents(),
): Response {
  const encoder = new TextEncoder()
  let next: Promise<IteratorResult<object>> | undefined
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      let timer: ReturnType<typeof setTimeout> | undefined
      const silence = new Promise<undefined>((resolve) => {
        timer = setTimeout(() => resolve(undefined), idleMs)
      })
      next ??= messages.next()
      const message = await Promise.race([next, silence])
      clearTimeout(timer)
      if (!message) return controller.enqueue(encoder.encode(idle()))
      next = undefined
      if (message.done) return controller.close()
      controller.enqueue(encoder.encode(word(message.value)))
    },
    cancel() {
      left()
      void messages.return(undefined)
    },
  })
  return new Response(body, { headers: { ...HEADERS, 'content-type': type } })
}
