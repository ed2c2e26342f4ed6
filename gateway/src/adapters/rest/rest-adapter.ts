/**
 * Every tool over plain HTTP: `/tools`, `/invoke`, `/tools/{name}`, and what describes them, `/openapi.json` and `/docs`.
 */
import { toolsOf } from '../../calls/listed-tools.ts'
import type { CatalogTool } from '../../catalog/catalog.ts'
import type { Gateway, TransportAdapter } from '../../gateway.ts'
import { json } from '../../http.ts'
import type { Handler, Route, RouteContext } from '../../routes.ts'
import { isObject } from '../../values.ts'
import { response, thrownAnswer } from './answer.ts'
import { readCalls } from './call-forms.ts'
import { docsPage } from './docs-page.ts'
import { openApi } from './openapi.ts'
import { readBody } from './read-body.ts'
import { badRequest, Refusal } from './refusal.ts'
import { serveCalls } from './serve-calls.ts'
import { describedTool, formatOf } from './tool-list.ts'

/** The list may be another the next moment. */
const UNCACHED = { 'cache-control': 'no-store' }

export const restAdapter: TransportAdapter = {
  name: 'rest',
  routes: (gateway): Route[] => [
    {
      path: '/tools',
      methods: {
        GET: answering(async ({ request, scope }) => {
          const format = formatOf(request)
          return json(200, format(await gateway.tools.list(scope)), UNCACHED)
        }),
      },
    },
    {
      path: '/invoke',
      methods: {
        POST: answering(async (context) => {
          const wanted = readCalls(await readBody(context.request))
          return serveCalls(gateway, context, wanted)
        }),
      },
    },
    {
      path: '/tools/:name',
      methods: {
        GET: answering(async (context) =>
          json(200, describedTool(await find(gateway, context)), UNCACHED),
        ),
        POST: answering(async (context) => {
          const { param: name, request } = context
          // No body at all: no arguments.
          const { args = {} } = { args: await readBody(request) }
          if (!isObject(args)) throw badRequest('The body must be an object: the arguments.')
          return serveCalls(gateway, context, { call: { name, args, at: '' } })
        }),
      },
    },
    {
      path: '/openapi.json',
      methods: {
        GET: async ({ scope }) =>
          json(200, openApi(toolsOf(await gateway.tools.list(scope))), UNCACHED),
      },
    },
    { path: '/docs', methods: { GET: ({ scope }) => docsPage(scope.platform.randomUUID()) } },
  ],
}

async function find(gateway: Gateway, { scope, param }: RouteContext): Promise<CatalogTool> {
  const entry = toolsOf(await gateway.tools.list(scope)).find(({ name }) => name === param)
  if (entry) return entry
  throw new Refusal(404, 'tool_not_found', 'There is no such tool. GET /tools lists all.')
}

/** What is refused on the way becomes an answer. */
function answering(handler: Handler): Handler {
  return async (context) => {
    try {
      return await handler(context)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      return response(thrownAnswer(context.scope, error))
    }
  }
}
