/** `GET /tools?query=…`: the tools that `search_tools` finds. */
import type { CatalogTool } from '../catalog/catalog.ts'
import type { Gateway } from '../gateway.ts'
import { HINTS } from '../catalog/annotation-hints.ts'
import type { Scope } from '../scope.ts'
import { findTools } from './find-tools.ts'
import {
  type Detail,
  DETAILS,
  LONGEST_QUERY,
  MOST_RESULTS,
  type Wanted,
} from '../calls/search-limits.ts'
import { badRequest } from '../calls/rest-error.ts'

const PARAMETERS = ['query', 'detail', 'component', 'limit', ...HINTS]

export function isSearch(parameters: URLSearchParams): boolean {
  return PARAMETERS.some((name) => parameters.has(name))
}

/** @param form of each tool. @default the form of the detail. @throws {Refusal} */
export async function searchedTools(
  gateway: Gateway,
  scope: Scope,
  parameters: URLSearchParams,
  form?: (tool: CatalogTool) => object,
): Promise<object> {
  const found = await findTools(gateway, scope, wantedOf(parameters))
  if (!form) return found
  const { tools } = await gateway.tools.list(scope)
  const entries = new Map(tools.map((tool) => [tool.name, tool]))
  return {
    tools: found.tools.flatMap(({ name }) => {
      const entry = entries.get(name)
      return entry ? form(entry) : []
    }),
    matches: found.matches,
  }
}

function wantedOf(parameters: URLSearchParams): Wanted {
  const detail = parameters.get('detail') ?? 'brief'
  if (!DETAILS.includes(detail as Detail)) {
    throw badRequest(`detail must be one of ${DETAILS.join(', ')}.`, 'detail')
  }
  const limit = parameters.get('limit') ?? '10'
  if (!/^\d{1,2}$/.test(limit) || Number(limit) < 1 || Number(limit) > MOST_RESULTS) {
    throw badRequest(`limit must be a number from 1 to ${MOST_RESULTS}.`, 'limit')
  }
  const component = parameters.get('component')
  const query = parameters.get('query') ?? ''
  if (query.length > LONGEST_QUERY) {
    throw badRequest(`query must have at most ${LONGEST_QUERY} characters.`, 'query')
  }
  return {
    query,
    detail: detail as Detail,
    limit: Number(limit),
    annotations: annotationsOf(parameters),
    ...(component !== null && { component }),
  }
}

function annotationsOf(parameters: URLSearchParams): Wanted['annotations'] {
  const annotations: Wanted['annotations'] = {}
  for (const hint of HINTS) {
    const value = parameters.get(hint)
    if (value === null) continue
    if (value !== 'true' && value !== 'false')
      throw badRequest(`${hint} must be true or false.`, hint)
    annotations[hint] = value === 'true'
  }
  return annotations
}
