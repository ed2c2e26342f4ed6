/**
 * Finds the offer a client asks for, in what is known and, if it is not there, in what is true now.
 *
 * @module
 */
import type { Scope } from '../scope.ts'
import type { Catalog, Entry, Kind, ToolRepository } from './catalog.ts'
import { matchesTemplate } from './uri-template.ts'

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
    (template) => template.name === name || matchesTemplate(template.name, name),
  )
}

/**
 * The entry as its component publishes it now.
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
  const catalog = await tools.refresh(scope, known && [known.component])
  return lookup(catalog, wanted, name) as Entry<K> | undefined
}
