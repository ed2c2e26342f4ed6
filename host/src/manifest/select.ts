/** Changes of a manifest that the one who starts it asks for. */
import type { ComponentManifest, Manifest } from './manifest.ts'

/** What was asked for does not fit the application. */
export class SelectionError extends Error {
  override readonly name = 'SelectionError'
}

/**
 * The application with some of its components only.
 *
 * @throws {SelectionError} for ids the application does not have, and where a component that stays calls one
 *   that does not: it would fail in the middle of a request.
 */
export function selectComponents(manifest: Manifest, ids: readonly string[]): Manifest {
  const kept = new Map<string, ComponentManifest>()
  for (const id of ids) {
    const component = manifest.components.get(id)
    if (!component) {
      const known = [...manifest.components.keys()].join(', ')
      throw new SelectionError(`there is no component "${id}" to select; there are ${known}`)
    }
    kept.set(id, component)
  }
  for (const { id, allowedOutboundHosts } of kept.values()) {
    for (const host of allowedOutboundHosts) {
      const target = /^[^/]*:\/\/([^/:]+)\.spin\.internal/i.exec(host)?.[1]
      if (target === undefined || kept.has(target)) continue
      throw new SelectionError(
        target === '*'
          ? `component "${id}" may call every other one (${host}), so all components have to be selected`
          : `component "${id}" calls "${target}" (${host}), which is not selected`,
      )
    }
  }
  return {
    ...manifest,
    components: kept,
    triggers: manifest.triggers.filter(
      ({ target }) => 'component' in target && kept.has(target.component),
    ),
  }
}

/**
 * The application as one of its components sees it: every path from outside leads to it, and none to another.
 *
 * @throws {SelectionError} for an id the application does not have.
 */
export function exposeComponent(manifest: Manifest, id: string): Manifest {
  if (!manifest.components.has(id)) {
    const known = [...manifest.components.keys()].join(', ')
    throw new SelectionError(`there is no component "${id}" to expose; there are ${known}`)
  }
  const others = manifest.triggers.flatMap((trigger) =>
    'component' in trigger.target && trigger.target.component !== id
      ? [{ ...trigger, route: undefined }]
      : [],
  )
  const exposed = { id, route: '/...', target: { component: id } }
  return { ...manifest, triggers: [...others, exposed] }
}

/** The application with more environment variables in each component; they win over its own. */
export function withEnvironment(
  manifest: Manifest,
  environment: Readonly<Record<string, string>>,
): Manifest {
  const components = [...manifest.components].map(
    ([id, component]): [string, ComponentManifest] => [
      id,
      { ...component, environment: { ...component.environment, ...environment } },
    ],
  )
  return { ...manifest, components: new Map(components) }
}

/** The application with other `.wasm` files, by component; a component it does not have is ignored. */
export function withSources(manifest: Manifest, sources: ReadonlyMap<string, string>): Manifest {
  const components = [...manifest.components].map(
    ([id, component]): [string, ComponentManifest] => [
      id,
      { ...component, source: sources.get(id) ?? component.source },
    ],
  )
  return { ...manifest, components: new Map(components) }
}
