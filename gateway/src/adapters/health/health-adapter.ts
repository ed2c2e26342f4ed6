/**
 * `GET /health`: the gateway runs. `GET /health/components`: how every tool component is doing, asked now
 * or in the last second.
 */
import { freshCatalog } from '../../catalog/lookup.ts'
import { worded } from '../../catalog/report.ts'
import type { TransportAdapter } from '../../gateway.ts'
import { json } from '../../http.ts'
import { unprotected } from '../../own-entries.ts'
import type { Scope } from '../../scope.ts'

const UNCACHED = { 'cache-control': 'no-store' }

export const healthAdapter: TransportAdapter = {
  name: 'health',
  routes: ({ tools }) => [
    { path: '/health', methods: { GET: () => json(200, { status: 'ok' }, UNCACHED) } },
    {
      path: '/health/components',
      methods: {
        async GET({ scope }) {
          const { components } = await freshCatalog(tools, scope)
          // 200 also when one is down: the gateway serves the others, and a probe must not take it from them.
          const well = components.every((component) => component.status === 'ok')
          const status = well ? 'ok' : 'degraded'
          const body = { status, ...warningOf(scope), components: components.map(worded) }
          return json(200, body, UNCACHED)
        },
      },
    },
  ],
}

function warningOf(scope: Scope): { warning?: string } {
  const warning = unprotected(scope)
  return warning === undefined ? {} : { warning }
}
