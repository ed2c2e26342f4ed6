/**
 * `tools/list`: every component's tools, in one page.
 *
 * @module
 */
import type { CatalogTool } from '../../../catalog/catalog.ts'
import { COMPONENTS_META_KEY, troubles } from '../../../catalog/report.ts'
import type { Gateway } from '../../../gateway.ts'
import {
  error,
  INVALID_PARAMS,
  result,
  type RpcAnswer,
  type RpcRequest,
  standardError,
} from '../json-rpc.ts'
import type { Exchange } from '../mcp-adapter.ts'

export async function listTools(
  { tools }: Gateway,
  { scope }: Exchange,
  { id, params }: RpcRequest,
): Promise<RpcAnswer> {
  if (params.cursor !== undefined) {
    const reason = 'params.cursor is none that was given out: the list has one page'
    return error(id, standardError(INVALID_PARAMS, { reason }))
  }
  const catalog = await tools.list(scope)
  const unwell = troubles(catalog)
  return result(id, {
    tools: catalog.tools.map(toLegacyTool),
    ...(unwell.length > 0 && { _meta: { [COMPONENTS_META_KEY]: unwell } }),
  })
}

/** Older clients refuse the whole list for one output schema whose root is not an object. */
function toLegacyTool({ name, description }: CatalogTool): object {
  const { outputSchema, ...rest } = description
  return { ...rest, name, ...(outputSchema?.type === 'object' && { outputSchema }) }
}
