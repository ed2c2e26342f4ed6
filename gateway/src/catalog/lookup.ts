/** Finds the offer a client asks for, in what is known and, if it is not there, in what is true now. */
import { matchesUriTemplate } from 'ftl-contract'
import type { Scope } from '../scope.ts'
import type { Catalog, Entry, Kind, ToolRepository } from './catalog.ts'
import { mayAskAgain } from './refusals.ts'

/** What a client asks for by name or uri. */
export type Wanted = 'tools' | 'prompts' | 'resources'

/** A resource's own entry comes before a template that its uri fits. */
export function lookup(catalog: Catalog, wanted: Wanted, name: string): Entry | undefined {
  if (wanted === 'tools') return catalog.tool(name)
  const entries: Entry[] = catalog[wanted]
  const entry = entries.find((candidate) => candidate.name === name)
  if (entry || wanted !== 'resources') return entry
  // A completion asks for the template itself.
  return catalog.resourceTemplates.find(
    (template) => template.name === name || matchesUriTemplate(template.name, name),
  )
}

/**
 * The entry as its component publishes it now, or published a moment ago.
 *
 * @param known what was found before: only its component is asked; without it every component is.
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
 * What is true now, or was a moment ago.
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
  // Of a component that was never asked nothing is known, so nothing can be refused.
  return catalog.isComplete ? catalog : tools.refresh(scope, asked)
}
