/** The tools of one list. */
import type { Catalog, CatalogTool } from '../catalog/catalog.ts'
import { reportsMeta } from '../catalog/report.ts'
import type { Gateway } from '../gateway.ts'
import type { Scope } from '../scope.ts'
import { toolsOf } from './listed-tools.ts'
import type { ToolsView } from './tools-view.ts'

export interface ToolList {
  tools: CatalogTool[]
  /** The `_meta` of the list. */
  reports: object | undefined
  /** The catalog, if all of it was read. */
  catalog?: Catalog
  /** Whether tools are missing that a search finds. */
  isShort: boolean
}

/**
 * All tools, unless a feature makes the list shorter.
 *
 * @param request its parameter `tools` decides.
 * @param fallback without that. @default what the settings say
 */
export async function toolList(
  gateway: Pick<Gateway, 'tools'>,
  scope: Scope,
  request: Request,
  fallback?: ToolsView,
): Promise<ToolList> {
  const shorter = scope.hooks.toolList(gateway, scope, request, fallback)
  if (shorter) return shorter
  const catalog = await gateway.tools.list(scope)
  return { tools: toolsOf(catalog), reports: reportsMeta(catalog), catalog, isShort: false }
}
