/** Searches the tools that the caller may see. */
import type { ToolDescription } from 'ftl-contract'
import type { CatalogTool } from '../catalog/catalog.ts'
import type { Gateway } from '../gateway.ts'
import type { Scope } from '../scope.ts'
import { declareTools } from './declarations/declare-tools.ts'
import { search } from './search.ts'
import { findIndex } from './stored-index.ts'
import { listedEntry } from '../catalog/listed-entry.ts'
import {
  type Detail,
  USUAL_RESULTS,
  type Found,
  type FoundTool,
  type Wanted,
} from '../calls/search-limits.ts'

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
