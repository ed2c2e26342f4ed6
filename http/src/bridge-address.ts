/** Where clients find the WebSocket bridge. The gateway tells programs, the page's component tells the page. */
import { urlIn } from './address.ts'
import type { Parse } from './settings.ts'

/**
 * A WebSocket address without a slash at the end, or a port of the host that the client called. Clients are sent
 * nowhere if there is no bridge (`off`), or if it does not run at the moment (`down`).
 */
export type BridgeAddress = { url: string } | { port: number } | 'off' | 'down'

const DEFAULT_BRIDGE_PORT = 8001

const bridge: Parse<BridgeAddress> = (text, refuse) => {
  if (text === 'off' || text === 'down') return text
  if (text === '') return { port: DEFAULT_BRIDGE_PORT }
  const port = Number(/^:(\d{1,5})$/.exec(text)?.[1])
  if (port > 0 && port <= 65_535) return { port }
  const [, scheme, rest] = /^(https?|wss?):\/\/([^\s?#]+)$/i.exec(text) ?? []
  if (scheme === undefined || rest === undefined || !urlIn(text)?.host) {
    return refuse('must be an http, https, ws or wss address, :port, off or down')
  }
  const secure = /^(https|wss)$/i.test(scheme)
  return { url: `${secure ? 'wss' : 'ws'}://${rest.replace(/\/+$/, '')}` }
}

/**
 * `bridge_url`: an address, `:port` on the host the client called, `off` or `down`. An application that does not declare it
 * has no bridge: its results must not name one, which could be that of another application.
 *
 * @default ':8001'
 */
export const bridgeVariable: [variable: string, parse: Parse<BridgeAddress>, undeclared: string] = [
  'bridge_url',
  bridge,
  'off',
]
