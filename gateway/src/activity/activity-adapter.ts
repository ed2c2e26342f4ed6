/**
 * `GET /activity`: what the host records about requests and components, for operators and tool authors.
 *
 * The gateway decides who may read it. The embedded host then answers in its place. On another host the gateway remembers
 * nothing between requests, so it says what it can find out now: the state of the components.
 */
import { acceptsEvents, json } from 'ftl-http'
import { refuseObserver } from '../access/may-observe.ts'
import { freshCatalog } from '../catalog/lookup.ts'
import { publicReport } from '../catalog/report.ts'
import type { Gateway, TransportAdapter } from '../gateway.ts'
import type { Scope } from '../scope.ts'

/** The host takes this out of the response, and believes it in the response to a client alone. */
const ALLOWED = { 'ftl-activity': 'allowed' }

const HEADERS = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'same-origin',
}

export const activityAdapter: TransportAdapter = {
  name: 'activity',
  routes: ({ tools }) => [
    {
      path: '/activity',
      methods: {
        async GET({ request, scope }) {
          const refusal = refuseObserver(request, scope)
          scope.hooks.noted(scope, { kind: 'observed', request, action: 'GET /activity', refusal })
          if (refusal) return refusal
          if (scope.settings.hostChecksForwarded) return json(200, {}, ALLOWED)
          const known = await knownToGateway(tools, scope)
          if (!acceptsEvents(request)) {
            return json(200, known, HEADERS)
          }
          const text = `retry: 10000\n\nevent: hello\ndata: ${JSON.stringify(known)}\n\n`
          return new Response(text, {
            headers: { ...HEADERS, 'content-type': 'text/event-stream' },
          })
        },
      },
    },
  ],
}

async function knownToGateway(tools: Gateway['tools'], scope: Scope): Promise<object> {
  const { components } = await freshCatalog(tools, scope)
  return {
    version: 1,
    host: 'other',
    message: 'This host records no requests: run the application with ftl to see them.',
    components: components.map(publicReport),
    notices: [],
    requests: [],
  }
}
