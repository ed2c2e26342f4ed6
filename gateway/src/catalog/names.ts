/**
 * Gives every tool the name clients call it by.
 *
 * @module
 */
import type { ToolDescription } from 'ftl-sdk/contract'
import type { CallAddress, CatalogTool, NameClash } from './catalog.ts'

export interface Publication {
  component: string
  callAt: CallAddress[]
  tools: ToolDescription[]
}

export interface Names {
  tools: CatalogTool[]
  /** By component. */
  clashes: Map<string, NameClash[]>
}

/** The first to publish a name keeps it; a later one is `component__tool`. */
export function assignNames(publications: readonly Publication[]): Names {
  const byName = new Map<string, CatalogTool>()
  const clashes = new Map<string, NameClash[]>()
  for (const { component, callAt, tools } of publications) {
    for (const description of tools) {
      const holder = byName.get(description.name)
      const name = holder ? `${component}__${description.name}` : description.name
      const free = !byName.has(name)
      if (holder) {
        const clash: NameClash = { tool: description.name, keptBy: holder.component }
        if (free) clash.listedAs = name
        clashes.set(component, [...(clashes.get(component) ?? []), clash])
      }
      if (free) byName.set(name, { name, component, description, callAt })
    }
  }
  return { tools: [...byName.values()], clashes }
}
