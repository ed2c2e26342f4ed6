/**
 * Messages as they come: server-sent events, or one JSON document a line.
 *
 * @see https://html.spec.whatwg.org/multipage/server-sent-events.html
 */
import { utf8 } from './encoding.ts'

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
  encode: (message: object) => string
  /** Sent while nothing happens. */
  idle: () => string
  /** Milliseconds of silence before that. @default 15 seconds */
  idleMs?: number
}

const EVENTS = 'text/event-stream'

/** Whether the client names them: `*\/*` is the default of many libraries, so it does not mean that one reads events. */
export function acceptsEvents({ headers }: Request): boolean {
  return headers.get('accept')?.includes(EVENTS) ?? false
}

/** @param event of a message. @default 'message' */
function serverSentEvents(event: (message: object) => string = () => 'message'): StreamForm {
  return {
    type: EVENTS,
    encode: (message) => `event: ${event(message)}\ndata: ${JSON.stringify(message)}\n\n`,
    idle: () => ': still working\n\n',
  }
}

/** @param idle message that says nothing new. */
export function jsonLines(idle: () => object): StreamForm {
  const encode = (message: object) => `${JSON.stringify(message)}\n`
  return { type: 'application/x-ndjson', encode, idle: () => encode(idle()) }
}

/**
 * Lines of JSON if the client accepts `application/x-ndjson`; otherwise server-sent events, named after the `type` of
 * each message.
 *
 * @param idle message that says nothing new.
 */
export function acceptedForm({ headers }: Request, idle: () => object): StreamForm {
  return headers.get('accept')?.includes('application/x-ndjson')
    ? jsonLines(idle)
    : serverSentEvents((message) => (message as { type: string }).type)
}

/** @param onDisconnect called when the client goes away before the end. */
export function eventStream(
  messages: AsyncGenerator<object>,
  onDisconnect: () => void,
  { type, encode, idle, idleMs = KEEP_ALIVE_MS }: StreamForm = serverSentEvents(),
): Response {
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
      if (!message) return controller.enqueue(utf8(idle()))
      next = undefined
      if (message.done) return controller.close()
      controller.enqueue(utf8(encode(message.value)))
    },
    cancel() {
      onDisconnect()
      void messages.return(undefined)
    },
  })
  return new Response(body, { headers: { ...HEADERS, 'content-type': type } })
}
