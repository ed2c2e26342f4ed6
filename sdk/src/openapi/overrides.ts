/** What the author of a component changes of the tools that a plan has. */
import { type ApiOperation, type ApiPlan, asObject, isArrayOf, isString } from 'ftl-contract'
import type { ToolAnnotations } from 'ftl-contract'

/** Changes of one tool. */
export interface ApiToolChange {
  /** 1 to 64 characters of `[A-Za-z0-9_.-]`. */
  name?: string
  title?: string
  description?: string
  annotations?: ToolAnnotations
  /** Leaves the tool out. @default false */
  hidden?: boolean
  /** Values of arguments that a call may leave out. */
  defaults?: Record<string, unknown>
  /** Values that callers do not see and cannot change. */
  fixed?: Record<string, unknown>
}

/** What an author changes of the tools of a plan. */
export interface ApiToolsOptions {
  /** By the name of the tool in `api.json`. */
  tools?: Record<string, ApiToolChange>
  /** Sent with every request, such as a version of the API. Credentials belong in variables. */
  headers?: Record<string, string>
  /** Characters of a result; longer ones are cut, with advice. @default 40000 */
  maxCharacters?: number
}

export interface ChangedOperation {
  operation: ApiOperation
  defaults: Record<string, unknown>
  fixed: Record<string, unknown>
}

/** @throws {TypeError} for a change of a tool or an argument that does not exist. */
export function changed(
  { operations }: Pick<ApiPlan, 'operations'>,
  { tools = {} }: ApiToolsOptions,
): ChangedOperation[] {
  const known = new Set(operations.map(({ name }) => name))
  const stranger = Object.keys(tools).find((name) => !known.has(name))
  if (stranger !== undefined) {
    throw new TypeError(
      `"tools" changes "${stranger}", which api.json does not have: remove it, or take the name from api.json`,
    )
  }
  const changes = new Map(Object.entries(tools))
  return operations.flatMap((operation) => {
    const { hidden, defaults = {}, fixed = {}, ...more } = changes.get(operation.name) ?? {}
    if (hidden) return []
    const inputSchema = withValues(operation, defaults, fixed)
    return [{ operation: { ...operation, ...more, inputSchema }, defaults, fixed }]
  })
}

function withValues(
  { name, inputSchema }: ApiOperation,
  defaults: Record<string, unknown>,
  fixed: Record<string, unknown>,
): ApiOperation['inputSchema'] {
  const properties = new Map(Object.entries(asObject(inputSchema['properties'])))
  for (const argument of [...Object.keys(defaults), ...Object.keys(fixed)]) {
    if (properties.has(argument)) continue
    const all = [...properties.keys()].join(', ')
    throw new TypeError(
      `"tools.${name}" gives a value for "${argument}"; the arguments are: ${all}`,
    )
  }
  for (const [argument, value] of Object.entries(defaults)) {
    properties.set(argument, { ...asObject(properties.get(argument)), default: value })
  }
  for (const argument of Object.keys(fixed)) properties.delete(argument)
  const { required: all, ...rest } = inputSchema
  const required = isArrayOf(all, isString)
    ? all.filter((each) => !Object.hasOwn(defaults, each) && !Object.hasOwn(fixed, each))
    : []
  return {
    ...rest,
    properties: Object.fromEntries(properties),
    ...(required.length > 0 && { required }),
  }
}
