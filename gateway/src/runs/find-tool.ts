/** Finds a tool by its component and the name that its component gave it, as programs name tools. */
import type { Catalog, CatalogTool } from '../catalog/catalog.ts'
import { RENAMING } from '../catalog/names.ts'

/** The tool of `run_code`: programs cannot call it, and only it gets capabilities. */
export const RUN_TOOL = 'run_code'

/**
 * Also one that the caller may not use: the call decides.
 *
 * @returns `undefined` if there is no such tool.
 */
export function findTool(
  catalog: Catalog,
  component: string,
  tool: string,
): CatalogTool | undefined {
  const whole = catalog.whole ?? catalog
  const isIt = (entry: CatalogTool | undefined) =>
    entry?.component === component && entry.description.name === tool
  const plain = whole.tool(tool)
  if (isIt(plain)) return plain
  const renamed = whole.tool(`${component}${RENAMING}${tool}`)
  return isIt(renamed) ? renamed : undefined
}
