/**
 * `GET /whoami`: the authenticated caller. `GET /health`: the gateway runs, and its store answers. `GET /health/components`: the
 * status of every tool component, asked now or in the last second.
 */
import { failure, uncached } from 'ftl-http'
import type { Caller } from '../../caller.ts'
import { freshCatalog } from '../../catalog/lookup.ts'
import { publicReport } from '../../catalog/report.ts'
import type { TransportAdapter } from '../../gateway.ts'
import { unprotected } from '../../own-entries.ts'
import type { Scope } from '../../scope.ts'
import { isStoreFailure } from '../../store-failure.ts'

/** The chat is a component with a route of its own, which asks whether its client may use it. */
const CHAT = { kind: 'chat', component: 'chat', name: 'chat' } as const

/** A gateway that may not open a store serves what needs none. @throws {KeyValueError} while the store does not answer. */
async function checkStore(scope: Scope): Promise<void> {
  try {
    await (await scope.store()).exists('health')
  } catch (error) {
    if (isStoreFailure(error)) throw error
  }
}

export const healthAdapter: TransportAdapter = {
  name: 'health',
  routes: ({ tools }) => [
    {
      path: '/whoami',
      methods: {
        GET({ request, scope }) {
          const asked = new URL(request.url).searchParams.get('for')
          if (asked === 'chat' && !(scope.permissions?.mayUse(CHAT, CHAT.name) ?? true)) {
            return failure(403, 'forbidden', 'The policy does not permit you to use the chat.')
          }
          const caller: Partial<Caller> = scope.caller ?? {}
          const { principal = null, scopes = [], issuer, subject: user } = caller
          const { name, groups, client } = caller
          return uncached({ principal, scopes, issuer, user, name, groups, client })
        },
      },
    },
    {
      path: '/health',
      methods: {
        async GET({ scope }) {
          await checkStore(scope)
          return uncached({ status: 'ok' })
        },
      },
    },
    {
      path: '/health/components',
      methods: {
        async GET({ scope }) {
          const { components } = await freshCatalog(tools, scope)
          // 200 also when one is down: the gateway serves the others, and a probe must not take it from them.
          const { bridge } = scope.settings
          const isOk =
            bridge !== 'down' &&
            components.every(({ status, differences }) => status === 'ok' && !differences)
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
