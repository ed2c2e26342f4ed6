/** Which trigger answers a path: the exact route, else the longest wildcard. */
import type { HttpTrigger } from '../manifest/manifest.ts'
import { matchRoute, parseRoute, type Route, type RouteMatch } from '../manifest/route.ts'

export interface Routed {
  target: HttpTrigger['target']
  route: Route
  match: RouteMatch
}

/** What Spin keeps for itself; no component sees it. */
export const RESERVED_PREFIX = '/.well-known/spin/'

export class Router {
  readonly #entries: { route: Route; target: HttpTrigger['target'] }[]

  /** Private triggers are left out, so that nothing from outside can reach them. */
  constructor(triggers: readonly HttpTrigger[]) {
    const entries = triggers.flatMap(({ route: text, target }) => {
      const route = text === undefined ? undefined : parseRoute(text)
      return route === undefined || typeof route === 'string' ? [] : [{ route, target }]
    })
    // Stable, and the later of two equal routes first: it wins, as in Spin.
    this.#entries = entries.reverse().sort((a, b) => rank(b.route) - rank(a.route))
  }

  /** @param path without a query. */
  find(path: string): Routed | undefined {
    for (const { route, target } of this.#entries) {
      const match = matchRoute(route, path)
      if (match) return { target, route, match }
    }
    return undefined
  }
}

// Exact before wildcard, long before short, and at equal length a literal before a name.
function rank({ wildcard, segments }: Route): number {
  const literals = segments.filter((segment) => 'literal' in segment).length
  return (wildcard ? 0 : 1_000_000) + segments.length * 1000 + literals
}
