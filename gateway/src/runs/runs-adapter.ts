/**
 * What programs call: `POST /run/call`, `GET /run/tools`. The contract is in runs/README.md. Clients read long results here.
 *
 * `/run` is only for components of this application, and only with the capability of a run.
 */
import { addressOf, failure, isFromComponent, json } from 'ftl-http'
import type { Gateway, TransportAdapter } from '../gateway.ts'
import { InsufficientScope } from '../insufficient-scope.ts'
import type { Route, RouteContext } from '../routes.ts'
import { callInRun } from './call-in-run.ts'
import { describeInRun, searchInRun } from './find-in-run.ts'
import { keepInRun } from './keep-in-run.ts'
import { listInRun } from './list-in-run.ts'
import { readCall } from './read-call.ts'
import { RunError } from './run-error.ts'
import { openRun, type RunRequest } from './run-scope.ts'
import { answerPage } from './answer-page.ts'

type Serve = (gateway: Gateway, run: RunRequest, request: Request) => Promise<object>

export const runsAdapter: TransportAdapter = {
  name: 'runs',
  routes: (gateway): Route[] => {
    const handler =
      (serve: Serve) =>
      ({ request, scope }: RouteContext) =>
        answer(request, async () => serve(gateway, await openRun(scope, request), request))
    return [
      { path: '/run/call', methods: { POST: handler(call) } },
      { path: '/run/tools', methods: { GET: handler(listInRun) } },
      { path: '/run/search', methods: { POST: handler(searchInRun) } },
      { path: '/run/describe', methods: { POST: handler(describeInRun) } },
      { path: '/run/result', methods: { POST: handler(keep) } },
      { path: '/results/:id', methods: { GET: answerPage } },
    ]
  },
}

const call: Serve = async (gateway, run, request) => ({
  result: await callInRun(gateway, run, await readCall(request)),
})

const keep: Serve = async (_gateway, run, request) => keepInRun(run, request)

async function answer(request: Request, serve: () => Promise<object>): Promise<Response> {
  // A page cannot reach it, and a client gets the answer that any other path would give.
  if (!isFromComponent(request) || request.headers.has('origin')) {
    const { pathname } = addressOf(request)
    return failure(404, 'not_found', `There is nothing at ${pathname}. MCP is at POST /mcp.`)
  }
  try {
    return json(200, await serve())
  } catch (error) {
    if (error instanceof RunError) return failure(error.status, error.code, error.message)
    if (!(error instanceof InsufficientScope)) throw error
    return failure(InsufficientScope.status, InsufficientScope.code, error.message)
  }
}
