/** The tool that runs programs, and how programs name other tools. */
import type { Catalog, CatalogTool } from './catalog.ts'
import { RENAMING } from './names.ts'

/** Name of the tool, at the component of the variable `code_component`. Programs cannot call it, and only it gets capabilities. */
export const RUN_TOOL = 'run_code'

/** In `_meta` of a tool: `true`, if its component returns the text of a program instead of a result. */
export const PROGRAM_KEY = 'ftl/program'

/** @param codeComponent whose tool of this name runs programs of a model. */
export function codeToolOf(
  { tools }: Pick<Catalog, 'tools'>,
  codeComponent: string,
): CatalogTool | undefined {
  return tools.find(
    ({ component, description }) => component === codeComponent && description.name === RUN_TOOL,
  )
}

/**
 * Finds a tool by its component and the name that its component gave it. Also one that the caller may not use: the call decides.
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
