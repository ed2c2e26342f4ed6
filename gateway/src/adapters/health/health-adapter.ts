/**
 * `GET /health`: the gateway runs. `GET /health/components`: how every tool component is doing, asked now.
 *
 * @module
 */
import { worded } from '../../catalog/report.ts'
import type { TransportAdapter } from '../../gateway.ts'
import { json, methodNotAllowed } from '../../http.ts'

const UNCACHED = { 'cache-control': 'no-store' }

export const healthAdapter: TransportAdapter = {
  name: 'health',
  register(app, { tools }) {
    app.get('/health', () => json(200, { status: 'ok' }, UNCACHED))
    app.get('/health/components', async (c) => {
      const { components } = await tools.list(c.env.scope)
      // 200 also when one is down: the gateway serves the others, and a probe must not take it away from them.
      const status = components.every((component) => component.status === 'ok') ? 'ok' : 'degraded'
      return json(200, { status, components: components.map(worded) }, UNCACHED)
    })
    for (const route of ['/health', '/health/components']) {
      app.all(route, () => methodNotAllowed('GET, HEAD'))
    }
  },
}
