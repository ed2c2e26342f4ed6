/** Where a person sees what the gateway does. */
import type { Host } from 'ftl-host'

/** @returns an address or a command; `undefined` for an application without a gateway at the root. */
export function activityPlace({
  url,
  manifest,
}: Pick<Host, 'url' | 'manifest'>): string | undefined {
  const { triggers, components } = manifest
  const isThere = triggers.some(
    ({ route, target }) =>
      route === '/...' &&
      'component' in target &&
      Object.hasOwn(components.get(target.component)?.variables ?? {}, 'tool_components'),
  )
  if (!isThere) return undefined
  return components.has('web') ? `${url}/#/activity` : `curl -s ${url}/activity`
}
