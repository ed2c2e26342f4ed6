/** The tools of one list: all of them or, if that is too long for a model, those that find the others. */
import { toolsOf } from '../calls/listed-tools.ts'
import type { ToolList } from '../calls/tool-list.ts'
import { JOB_TOOLS } from '../calls/job-tools.ts'
import type { Catalog, CatalogTool } from '../catalog/catalog.ts'
import { codeToolOf } from '../catalog/program-tool.ts'
import { reportsMeta } from '../catalog/report.ts'
import type { Gateway } from '../gateway.ts'
import type { Scope } from '../scope.ts'
import type { ToolsMode } from '../catalog/list-settings.ts'
import { isOutline } from '../catalog/outline.ts'
import { type ToolsView, viewOf } from '../calls/tools-view.ts'
import { CALL_TOOL, FINDING_TOOLS } from './virtual-tools.ts'
import { isBeyond, visibleTools } from '../catalog/visible-tools.ts'

/**
 * @param request its parameter `tools` decides.
 * @param fallback without that. @default what the settings say
 */
export async function listedView(
  gateway: Pick<Gateway, 'tools'>,
  scope: Scope,
  request: Request,
  fallback?: ToolsView,
): Promise<ToolList> {
  const { toolsMode, budgetTokens } = scope.settings.listSettings
  const view = wantedView(request, toolsMode, fallback)
  if (view === 'all' || !gateway.tools.outline)
    return listOf(await gateway.tools.list(scope), view, scope)
  const known = await gateway.tools.outline(scope)
  if (!isOutline(known)) return listOf(known, view, scope)
  const { reports, jobs, full } = known
  if (view === undefined && known.tokens <= budgetTokens) {
    if (full) return { tools: toolsOf({ tools: [...full], jobs }), reports, isShort: false }
    return listOf(await gateway.tools.list(scope), 'all', scope)
  }
  return { tools: shortList(view, { ...known, jobs }), reports, isShort: true }
}

function wantedView(
  request: Request,
  mode: ToolsMode,
  fallback: ToolsView | undefined,
): ToolsView | undefined {
  const view = viewOf(request)
  if (view !== undefined && view !== 'invalid') return view
  if (fallback) return fallback
  return mode === 'auto' ? undefined : mode === 'on' ? 'search' : 'all'
}

function listOf(catalog: Catalog, view: ToolsView | undefined, { settings }: Scope): ToolList {
  const all = toolsOf(catalog)
  const reports = reportsMeta(catalog)
  const { listSettings } = settings
  const isAll = view === 'all' || (view === undefined && !isBeyond(all, listSettings.budgetTokens))
  if (isAll) return { tools: all, reports, catalog, isShort: false }
  const visible = visibleTools(catalog.tools, listSettings)
  // Read where it is needed: a variable costs half a millisecond on Spin.
  const code = view === 'code' ? codeToolOf(catalog, settings.codeComponent) : undefined
  const tools = shortList(view, { visible, jobs: catalog.jobs, code })
  return { tools, reports, catalog, isShort: true }
}

interface Short {
  visible: CatalogTool[]
  jobs: boolean
  code?: CatalogTool | undefined
}

/** In the same order whatever the catalog, so that a model's provider can cache it. */
function shortList(view: ToolsView | undefined, { visible, jobs, code }: Short): CatalogTool[] {
  const own =
    view === 'code' ? [...FINDING_TOOLS, ...(code ? [code] : [])] : [...FINDING_TOOLS, CALL_TOOL]
  return view === 'code' ? own : [...own, ...(jobs ? JOB_TOOLS : []), ...visible]
}
