/** What the host takes from a checked manifest. */
import type { ComponentManifest, Manifest } from './manifest.ts'

/** The components something can reach; others are never loaded. */
export function triggeredComponents({ triggers, components }: Manifest): ComponentManifest[] {
  const ids = new Set(
    triggers.flatMap(({ target }) => ('component' in target ? [target.component] : [])),
  )
  return [...components.values()].filter(({ id }) => ids.has(id))
}

/** A route as `spin up` shows it. */
export interface PublicRoute {
  /** The component, or the trigger of a static response. */
  id: string
  /** Without the wildcard at its end; at least `/`. */
  path: string
  wildcard: boolean
  description: string | undefined
}

/** What can be reached from outside; of the same route twice, the later one counts. */
export function publicRoutes({ triggers, components }: Manifest): PublicRoute[] {
  const routes = new Map<string, PublicRoute>()
  for (const { id, route, target } of triggers) {
    if (route === undefined) continue
    const component = 'component' in target ? target.component : undefined
    const absolute = route.startsWith('/') ? route : `/${route}`
    const path = absolute.replace(/\/(\.\.\.|\*)$/, '').replace(/\/$/, '')
    routes.set(route, {
      id: component ?? id,
      path: path === '' ? '/' : path,
      wildcard: /\/(\.\.\.|\*)$/.test(absolute),
      description: component === undefined ? undefined : components.get(component)?.description,
    })
  }
  return [...routes.values()]
}
