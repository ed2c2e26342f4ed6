/** Calls of one request: one is answered natively, several by tool messages; at once or as they go on. */
import { json } from 'ftl-http'
import { originOf } from '../../calls/client-request.ts'
import { callsHeader } from '../../calls/calls-header.ts'
import type { Gateway } from '../../gateway.ts'
import { drain } from '../../invoke/call-component.ts'
import type { RouteContext } from '../../routes.ts'
import { type Answer, response, thrownAnswer } from './answer.ts'
import type { ListedCall, Wanted, WantedCall } from './call-forms.ts'
import { streamCalls } from './call-lines.ts'
import { callSteps, type CallSteps, type RestExchange } from './call-steps.ts'
import { sideBySide } from './side-by-side.ts'
import { toolMessage } from './tool-messages.ts'
import { MAX_WAIT_SECONDS } from './openapi-schemas.ts'
import { badRequest } from '../../calls/rest-error.ts'

const STREAMS = /application\/x-ndjson|text\/event-stream/

/** @throws {Refusal} */
export async function serveCalls(
  gateway: Gateway,
  { request, scope }: RouteContext,
  wanted: Wanted,
): Promise<Response> {
  const wantsProgress = STREAMS.test(request.headers.get('accept') ?? '')
  const waitMs = waitOf(request)
  const exchange: RestExchange = { gateway, scope, request, wantsProgress, waitMs }
  const { all, ids, end } =
    'call' in wanted ? one(exchange, wanted.call) : several(exchange, wanted.calls)
  if (wantsProgress) return streamCalls(exchange, all, ids, end)
  const answer = end(await drain(sideBySide(all)))
  if (Array.isArray(answer)) return json(200, answer, callsHeader(answer.length))
  return response(answer)
}

interface Calls {
  all: CallSteps[]
  ids: (string | number | undefined)[]
  end: (answers: Answer[]) => Answer | object[]
}

function one(exchange: RestExchange, call: WantedCall): Calls {
  const end = ([answer]: Answer[]) => answer as Answer
  return { all: [callSteps(exchange, call)], ids: [call.id], end }
}

function several(exchange: RestExchange, calls: ListedCall[]): Calls {
  const ids = calls.map(({ id }) => id)
  const origin = originOf(exchange.request)
  return {
    all: calls.map((listed, place) =>
      'call' in listed
        ? callSteps(exchange, listed.call, place)
        : refused(exchange, listed.refusal),
    ),
    ids,
    end: (answers) => answers.map((answer, place) => toolMessage(ids[place] ?? '', answer, origin)),
  }
}

/** A call that ends before it begins. */
async function* refused({ scope }: RestExchange, refusal: unknown): CallSteps {
  return thrownAnswer(scope, refusal)
}

/**
 * How long the client wants to wait for a job: milliseconds by `?wait=` or `Prefer: wait=`, both in seconds; 0 by `Prefer: respond-async` alone.
 *
 * An invalid preference is ignored, as its RFC requires; an invalid query is an error.
 *
 * @see https://www.rfc-editor.org/rfc/rfc7240
 * @returns `undefined` when the client does not say it.
 * @throws {Refusal}
 */
function waitOf({ url, headers }: Request): number | undefined {
  const asked = new URL(url).searchParams.get('wait')
  if (asked !== null) {
    const seconds = /^\d+(\.\d+)?(e[+-]?\d+)?$/i.test(asked) ? Number(asked) : Infinity
    if (seconds <= MAX_WAIT_SECONDS) return seconds * 1000
    throw badRequest(`wait must be a number of seconds, 0 to ${MAX_WAIT_SECONDS}.`, 'wait')
  }
  const preferences = headers.get('prefer') ?? ''
  const [, wait] = /(?:^|[,;])\s*wait\s*=\s*"?(\d+)"?\s*(?:[,;]|$)/i.exec(preferences) ?? []
  if (wait !== undefined) return Number(wait) * 1000
  return /(^|[,;])\s*respond-async\s*([,;]|$)/i.test(preferences) ? 0 : undefined
}
