/**
 * One route of a manifest, such as `/a/b`, `/a/...` or `/users/:id`.
 * @see https://spinframework.dev/v4/http-trigger#http-trigger-routes
 */

export interface Route {
  /** As written in the manifest. */
  written: string
  /** With a slash at the start and without one at the end; `/` is empty, as in Spin. */
  based: string
  segments: readonly ({ literal: string } | { name: string })[]
  /** Matches everything below as well. */
  wildcard: boolean
}

/** @returns what is wrong with the route when it is a string. */
export function parseRoute(source: string): Route | string {
  const text = source.startsWith('/') ? source : `/${source}`
  const names = text.split('/').slice(1)
  const last = names.at(-1) ?? ''
  const wildcard = last === '...' || last === '*'
  const fixed = wildcard ? names.slice(0, -1) : names
  const segments: Route['segments'][number][] = []
  for (const [index, segment] of fixed.entries()) {
    // A slash at the end means the same route.
    if (segment === '' && index === fixed.length - 1) continue
    if (segment === '') return 'has an empty segment'
    if (segment === '...' || segment === '*') return 'has a wildcard that is not at its end'
    if (!segment.startsWith(':')) segments.push({ literal: segment })
    else if (segment.length === 1) return 'has a ":" without a name'
    else segments.push({ name: segment.slice(1) })
  }
  return { written: source, based: text.replace(/\/$/, ''), segments, wildcard }
}

export interface RouteMatch {
  /** The path after the fixed part of a wildcard route, starting with `/`; otherwise empty. */
  rest: string
  named: ReadonlyMap<string, string>
}

/** @param path without a query. */
export function matchRoute({ segments, wildcard }: Route, path: string): RouteMatch | undefined {
  const names = path.split('/').slice(1)
  const trimmed = names.at(-1) === '' ? names.slice(0, -1) : names
  if (trimmed.length < segments.length) return undefined
  if (!wildcard && trimmed.length > segments.length) return undefined
  const named = new Map<string, string>()
  for (const [index, segment] of segments.entries()) {
    const given = trimmed[index] ?? ''
    if ('name' in segment) named.set(segment.name, given)
    else if (segment.literal !== given) return undefined
  }
  const rest = names.slice(segments.length).join('/')
  return { rest: wildcard && names.length > segments.length ? `/${rest}` : '', named }
}
