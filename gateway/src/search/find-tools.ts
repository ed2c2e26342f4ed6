/** Searches the tools that the caller may see. */
import type { ToolDescription } from 'ftl-contract'
import type { CatalogTool } from '../catalog/catalog.ts'
import type { Gateway } from '../gateway.ts'
import type { Hint } from '../catalog/hints.ts'
import type { Scope } from '../scope.ts'
import { declareTools } from './declarations/declare-tools.ts'
import { search } from './search.ts'
import { findIndex } from './stored-index.ts'
import { listedEntry } from '../calls/listed-tools.ts'
import { type Detail, USUAL_RESULTS } from './virtual-tools.ts'

export interface Wanted {
  /** @default '', all tools in the order of the list */
  query?: string
  /** @default 'brief' */
  detail?: Detail
  component?: string
  annotations?: Partial<Record<Hint, boolean>>
  /** @default 10 */
  limit?: number
}

/** A tool as a search returns it: the name and component, and what the detail asks for. */
export interface FoundTool {
  name: string
  component: string
  description?: string
}

export interface Found {
  tools: FoundTool[]
  /** How many tools match, of which `tools` are the first. */
  matches: number
  /** TypeScript declarations of all found tools. @default only with the detail `detailed` */
  declarations?: string
}

type Tools = Pick<Gateway, 'tools'>

export async function findTools(gateway: Tools, scope: Scope, wanted: Wanted): Promise<Found> {
  const { query = '', detail = 'brief', limit = USUAL_RESULTS, component, annotations } = wanted
  const indexed = await findIndex(gateway, scope)
  const { found, matches } = search(indexed.index, query, {
    limit,
    component,
    annotations,
    permitted: indexed.permitted,
  })
  if (detail === 'brief') {
    return {
      tools: found.map(({ name, component, summary }) => ({
        name,
        component,
        description: summary,
      })),
      matches,
    }
  }
  const catalog = indexed.catalog ?? (await gateway.tools.list(scope))
  const entries = new Map(catalog.tools.map((tool) => [tool.name, tool]))
  const tools = found.flatMap(({ name }) => entries.get(name) ?? [])
  return {
    tools: tools.map((tool) => inDetail(tool, detail)),
    matches,
    ...(detail === 'detailed' && tools.length > 0 && { declarations: declareTools(tools) }),
  }
}

export function inDetail(tool: CatalogTool, detail: Detail): FoundTool {
  const { component } = tool
  const { inputSchema, outputSchema, ...rest } = listedEntry(tool) as ToolDescription
  return { ...rest, component, ...(detail === 'full' && { inputSchema, outputSchema }) }
}
