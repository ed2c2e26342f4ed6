/**
 * Calls as they go on, one JSON document a line: `status` any number of times, then exactly one `result` or `error`.
 */
import { isoTime } from '../../iso-time.ts'
import { isString } from 'ftl-contract'
import { acceptedForm, eventStream } from 'ftl-http'
import type { Answer } from './answer.ts'
import type { CallSteps, RestExchange } from './call-steps.ts'
import { sideBySide } from './side-by-side.ts'

/** Silence after which a line says that the work goes on. */
const HEARTBEAT_MS = 10_000

type Id = string | number | undefined

/**
 * @param ids of the calls, for their lines.
 * @param end of all, as one answer.
 */
export function streamCalls(
  { scope, request }: RestExchange,
  all: CallSteps[],
  ids: Id[],
  end: (answers: Answer[]) => Answer | object[],
): Response {
  const id = ids.length === 1 ? ids[0] : undefined
  const line = (type: string, more: object) => {
    const timestamp = isoTime(scope.platform.now())
    return { type, id, ...more, timestamp }
  }
  const form = acceptedForm(request, () => line('status', { message: 'Still working' }))
  return eventStream(messages(), () => scope.connection.leave(), { ...form, idleMs: HEARTBEAT_MS })

  async function* messages(): AsyncGenerator<object> {
    // At once, so that the client and what stands between see that there is an answer.
    yield line('status', { message: 'Calling' })
    const steps = sideBySide(all)
    try {
      for (;;) {
        const { done, value } = await steps.next()
        if (done) {
          yield last(end(value))
          return
        }
        const { place, step } = value
        if (step.type !== 'status') continue
        const { message, progress, total } = step
        yield line('status', {
          id: ids[place],
          message: isString(message) ? message : 'Working',
          progress: number(progress),
          total: number(total),
        })
      }
    } finally {
      await steps.return([])
    }
  }

  function last(answer: Answer | object[]): object {
    if (Array.isArray(answer)) return line('result', { response: answer })
    if (answer.error) return line('error', answer.error)
    return line('result', { response: answer.body })
  }
}

/** A component may have sent anything. */
function number(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined
}
