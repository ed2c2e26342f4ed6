/** `POST /run/search` and `POST /run/describe`: programs name a tool `component.tool`, by the name its component gave it. */
import { isString } from 'ftl-contract'
import type { CatalogTool } from '../catalog/catalog.ts'
import { RENAMING } from '../catalog/names.ts'
import type { ToolFinder } from '../feature.ts'
import type { Gateway } from '../gateway.ts'
import { MOST_RESULTS } from '../calls/search-limits.ts'
import { RUN_TOOL } from '../catalog/program-tool.ts'
import { invalid, readObject } from './read-call.ts'
import { RunError } from './run-error.ts'
import type { RunRequest } from './run-scope.ts'

/** Tools of one description. */
const MOST_NAMES = 10_000

/** @throws {RunError} */
export async function searchInRun(
  gateway: Gateway,
  { scope }: RunRequest,
  request: Request,
): Promise<object> {
  const { query = '', component, limit = 10 } = await readObject(request)
  if (!isString(query)) throw invalid('"query" must be a string')
  if (component !== undefined && !isString(component)) {
    throw invalid('"component" must be a string')
  }
  if (!(Number.isSafeInteger(limit) && Number(limit) >= 1 && Number(limit) <= MOST_RESULTS)) {
    throw invalid(`"limit" must be a whole number from 1 to ${MOST_RESULTS}`)
  }
  const found = await finderOf(scope).find(gateway, scope, {
    query,
    component,
    limit: limit as number,
  })
  const { codeComponent } = scope.settings
  const tools = found.tools
    .map(({ name, component, description }) => {
      const prefix = component + RENAMING
      const own = name.startsWith(prefix) ? name.slice(prefix.length) : name
      return { name: `${component}.${own}`, component, tool: own, description }
    })
    .filter(({ component, tool }) => component !== codeComponent || tool !== RUN_TOOL)
  return { tools, matches: found.matches - (found.tools.length - tools.length) }
}

/** Without `tools` it describes all. @throws {RunError} */
export async function describeInRun(
  gateway: Gateway,
  { scope }: RunRequest,
  request: Request,
): Promise<object> {
  const { tools: names, format = 'typescript' } = await readObject(request)
  const areNames = Array.isArray(names) && names.length <= MOST_NAMES && names.every(isString)
  if (names !== undefined && !areNames) {
    throw invalid('"tools" must be a list of names such as "echo.echo"')
  }
  if (format !== 'typescript' && format !== 'json') {
    throw invalid('"format" must be typescript or json')
  }
  const { codeComponent } = scope.settings
  const isCallable = ({ component, description: { name } }: CatalogTool) =>
    component !== codeComponent || name !== RUN_TOOL
  // What the caller may not see has no description.
  const all = (await gateway.tools.list(scope)).tools.filter(isCallable)
  const byName = new Map(all.map((tool) => [nameOf(tool), tool]))
  const wanted = areNames ? [...new Set(names)] : [...byName.keys()]
  const tools = wanted.flatMap((name) => byName.get(name) ?? [])
  const unknown = wanted.filter((name) => !byName.has(name))
  return {
    ...(format === 'json'
      ? { tools: tools.map((tool) => ({ ...tool.description, name: nameOf(tool) })) }
      : { declarations: finderOf(scope).declare(tools.map(asDeclared), 'nested') }),
    ...(unknown.length > 0 && { unknown }),
  }
}

const nameOf = ({ component, description: { name } }: CatalogTool) => `${component}.${name}`

const asDeclared = ({ component, description }: CatalogTool) => ({
  component,
  description,
  name: description.name,
})

/** @throws {RunError} in a gateway without it. */
function finderOf({ hooks }: RunRequest['scope']): ToolFinder {
  if (hooks.finder) return hooks.finder
  throw new RunError(501, 'no_search', 'The gateway was built without the search for tools.')
}
