/**
 * `GET /whoami`: the authenticated caller. `GET /health`: the gateway runs. `GET /health/components`: the status of every tool component, asked now
 * or in the last second.
 */
import { uncached } from 'ftl-http'
import { freshCatalog } from '../../catalog/lookup.ts'
import { publicReport } from '../../catalog/report.ts'
import type { TransportAdapter } from '../../gateway.ts'
import { unprotected } from '../../own-entries.ts'

export const healthAdapter: TransportAdapter = {
  name: 'health',
  routes: ({ tools }) => [
    {
      path: '/whoami',
      methods: {
        GET({ scope }) {
          const { principal = null, scopes = [], issuer, subject, client } = scope.caller ?? {}
          return uncached({ principal, scopes, issuer, user: subject, client })
        },
      },
    },
    { path: '/health', methods: { GET: () => uncached({ status: 'ok' }) } },
    {
      path: '/health/components',
      methods: {
        async GET({ scope }) {
          const { components } = await freshCatalog(tools, scope)
          // 200 also when one is down: the gateway serves the others, and a probe must not take it from them.
          const { bridge } = scope.settings
          const isOk =
            bridge !== 'down' && components.every((component) => component.status === 'ok')
          const status = isOk ? 'ok' : 'degraded'
          const body = {
            status,
            warning: unprotected(scope),
            bridge: typeof bridge === 'string' ? bridge : undefined,
            components: components.map(publicReport),
          }
          return uncached(body)
        },
      },
    },
  ],
}
