/** Calls of one request: one is answered natively, several by tool messages; at once or as they go on. */
import type { Gateway } from '../../gateway.ts'
import { json } from '../../http.ts'
import type { RouteContext } from '../../routes.ts'
import { originOf } from '../mcp/exchange.ts'
import { type Answer, response, thrownAnswer } from './answer.ts'
import type { ListedCall, Wanted, WantedCall } from './call-forms.ts'
import { streamCalls } from './call-lines.ts'
import { callSteps, type CallSteps, type RestExchange } from './call-steps.ts'
import { sideBySide } from './side-by-side.ts'
import { toolMessage } from './tool-messages.ts'
import { waitOf } from './wait.ts'

const STREAMS = /application\/x-ndjson|text\/event-stream/

/** @throws {Refusal} */
export async function serveCalls(
  gateway: Gateway,
  { request, scope }: RouteContext,
  wanted: Wanted,
): Promise<Response> {
  const listens = STREAMS.test(request.headers.get('accept') ?? '')
  const exchange: RestExchange = {
    gateway,
    scope,
    request,
    listens,
    waitMs: waitOf(request),
    // Of MCP only.
    versionHeader: undefined,
    acceptsEvents: false,
  }
  const { all, ids, end } =
    'call' in wanted ? one(exchange, wanted.call) : several(exchange, wanted.calls)
  if (listens) return streamCalls(exchange, all, ids, end)
  const answer = end(await ends(all))
  if (Array.isArray(answer)) return json(200, answer)
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

/** Without looking at what happens on the way. */
async function ends(all: CallSteps[]): Promise<Answer[]> {
  const steps = sideBySide(all)
  for (;;) {
    const next = await steps.next()
    if (next.done) return next.value
  }
}
