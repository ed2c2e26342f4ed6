/** Finds the tool, prompt or resource that a client asks for, in the stored catalog or in a fresh one. */
import { matchesUriTemplate } from 'ftl-contract'
import type { Scope } from '../scope.ts'
import { mayAskAgain } from './ask-again.ts'
import type { CallCatalog, Catalog, Entry, Kind, ToolRepository } from './catalog.ts'

/** The kinds that a client asks for by name or uri. */
export type Wanted = 'tools' | 'prompts' | 'resources'

/**
 * A resource's own entry takes precedence over a template that its uri matches. The entry may be one that differs from
 * its pin: a request for it is refused.
 */
export function lookup(catalog: Catalog, wanted: Wanted, name: string): Entry | undefined {
  if (wanted === 'tools') return catalog.tool(name)
  // First found, then decided: an entry that the caller may not use must not make way for a template.
  const entry = findEntry(catalog.whole ?? catalog, wanted, name)
  return entry && (catalog.permits?.(entry, name) ?? true) ? entry : undefined
}

/** Without a decision about the caller. */
export function findEntry(
  catalog: Pick<Catalog, Kind | 'withheld'>,
  wanted: Exclude<Wanted, 'tools'>,
  name: string,
): Entry | undefined {
  const entries: Entry[] = [...catalog[wanted], ...(catalog.withheld?.(wanted) ?? [])]
  const entry = entries.find((candidate) => candidate.name === name)
  if (entry || wanted !== 'resources') return entry
  // A completion asks for the template itself.
  return [...catalog.resourceTemplates, ...(catalog.withheld?.('resourceTemplates') ?? [])].find(
    (template) => template.name === name || matchesUriTemplate(template.name, name),
  )
}

/**
 * The entry as its component publishes it now, or did a moment ago (`ask-again.ts`).
 *
 * @param known the stored entry: only its component is asked; without it every component is.
 */
export async function lookupFresh<K extends Kind>(
  tools: ToolRepository,
  scope: Scope,
  wanted: Wanted,
  name: string,
  known?: Entry<K>,
): Promise<Entry<K> | undefined> {
  const catalog = await freshCatalog(tools, scope, known?.component)
  return lookup(catalog, wanted, name) as Entry<K> | undefined
}

/**
 * The catalog as it is now, or was a moment ago (`ask-again.ts`).
 *
 * @param component the only one that is asked. @default every component
 */
export async function freshCatalog(
  tools: ToolRepository,
  scope: Scope,
  component?: string,
): Promise<Catalog> {
  const asked = component === undefined ? undefined : [component]
  if (await mayAskAgain(scope, component)) return tools.refresh(scope, asked)
  const catalog = await tools.known(scope)
  // Nothing is known of a component that was never asked, so nothing can be refused.
  return catalog.isComplete ? catalog : tools.refresh(scope, asked)
}

/**
 * Asks pinned components again, after the answer, if their last one is too old: a client that only calls would otherwise
 * never have a changed component compared.
 */
export function compareLater(tools: ToolRepository, scope: Scope, catalog: CallCatalog): void {
  const { notCompared = [] } = catalog.whole ?? catalog
  if (notCompared.length > 0) scope.platform.waitUntil(tools.refresh(scope, notCompared))
}
