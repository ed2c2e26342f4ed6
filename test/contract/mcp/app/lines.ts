import { text } from './call.ts'

interface LineCall {
  /** Whether the gateway takes lines. */
  listened: boolean
  /** Counts, for another call to see. */
  tick: () => Promise<void>
}

const RESULT = { type: 'result', result: { content: [{ type: 'text', text: 'done' }] } }
const status = (progress: number, more = {}) => ({ type: 'status', progress, ...more })
const LEVELS = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency']

/** How often `slow_lines` says something unless it is stopped, and how far apart. */
export const TICKS = { count: 15, milliseconds: 100 } as const

/** Tools that answer line by line, not always as they should. */
export const LINE_TOOLS: Record<string, (call: LineCall) => Response> = {
  progress_back_and_forth: ({ listened }) =>
    lines(listened, [status(1), status(1), status(0.5), status(-3), status(2.5), RESULT]),
  progress_described: ({ listened }) =>
    lines(listened, [
      status(0.5, { total: 1.5, message: 'half way' }),
      status(1.25, { total: 1.5, message: 'nearly there' }),
      RESULT,
    ]),
  progress_after_result: ({ listened }) =>
    lines(listened, [status(1), RESULT, status(2), status(3)]),
  // Whatever level is asked for, and when none is.
  logs_of_every_level: ({ listened }) =>
    lines(listened, [
      ...LEVELS.map((level) => ({ type: 'log', level, logger: 'oddities', data: { level } })),
      RESULT,
    ]),
  slow_lines: ({ listened, tick }) => {
    if (!listened) return text('done')
    let left = TICKS.count
    return stream(async (send, close) => {
      if (left-- > 0) {
        await tick()
        await new Promise((resolve) => setTimeout(resolve, TICKS.milliseconds))
        send(status(TICKS.count - left))
      } else {
        send(RESULT)
        close()
      }
    })
  },
}

function lines(listened: boolean, all: object[]): Response {
  if (!listened) return text('done')
  const left = [...all]
  return stream(async (send, close) => {
    const next = left.shift()
    if (next) send(next)
    else close()
  })
}

function stream(
  pull: (send: (line: object) => void, close: () => void) => Promise<void>,
): Response {
  const encoder = new TextEncoder()
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) =>
      pull(
        (line) => controller.enqueue(encoder.encode(`${JSON.stringify(line)}\n`)),
        () => controller.close(),
      ),
  })
  return new Response(body, { headers: { 'content-type': 'application/x-ndjson' } })
}
