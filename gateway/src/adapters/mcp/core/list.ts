/**
 * Lists, page by page.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/pagination
 */
import { isString } from 'ftl-contract'
import { traitsOf } from '../../../client-traits.ts'
import { announcesChanges } from '../../../announces-changes.ts'
import { listedEntry, simpleEntries } from '../../../catalog/listed-entry.ts'
import type { Catalog, Entry, Kind } from '../../../catalog/catalog.ts'
import { reportsMeta } from '../../../catalog/report.ts'
import type { Scope } from '../../../scope.ts'
import { toolList } from '../../../calls/tool-list.ts'
import { type Exchange, metaOf } from '../exchange.ts'
import {
  invalidParams,
  METHOD_NOT_FOUND,
  RpcFailure,
  type RpcRequest,
  standardError,
} from '../json-rpc.ts'
import { pack, unpack } from './opaque.ts'

/** The list methods, and the kind that each lists. */
export const LISTS: ReadonlyMap<string, Kind> = new Map<string, Kind>([
  ['tools/list', 'tools'],
  ['prompts/list', 'prompts'],
  ['resources/list', 'resources'],
  ['resources/templates/list', 'resourceTemplates'],
])

/**
 * The capabilities the gateway announces, derived from the catalog. `tools` is always announced, even without tools. A
 * UI page for a tool is an MCP App.
 *
 * @param scope of the client that learns them: it may be notified when a list changes.
 */
export function capabilitiesOf(catalog: Catalog, scope?: Scope): Record<string, object> {
  const list = scope && announcesChanges(scope.settings) ? { listChanged: true } : {}
  const extensions = {
    ...(catalog.resources.some(({ name }) => name.startsWith('ui://')) && {
      'io.modelcontextprotocol/ui': {},
    }),
    ...scope?.hooks.extensions(catalog),
  }
  return {
    tools: list,
    ...(catalog.prompts.length > 0 && { prompts: list }),
    ...(hasResources(catalog) && { resources: list }),
    ...(catalog.completions && { completions: {} }),
    ...(catalog.logging && { logging: {} }),
    ...(Object.keys(extensions).length > 0 && { extensions }),
  }
}

function hasResources({ resources, resourceTemplates }: Catalog): boolean {
  return resources.length + resourceTemplates.length > 0
}

/** Error for a method whose capability nothing in the catalog has. */
export function notFound(method: string, status?: number): RpcFailure {
  return new RpcFailure(standardError(METHOD_NOT_FOUND, { method }), status)
}

/**
 * One page of a list: `{ tools, nextCursor?, _meta? }`.
 *
 * @param form converts an entry to its listed form.
 * @returns `undefined` when no component offers this kind, so that the method does not exist.
 * @throws {RpcFailure} when the cursor does not belong to this list.
 */
export async function listPage(
  { gateway, scope, request }: Exchange,
  { params }: RpcRequest,
  kind: Kind,
  form: (entry: Entry) => object = listedEntry,
): Promise<Record<string, unknown> | undefined> {
  const page = (entries: readonly Entry[], reports: object | undefined, formed = form) =>
    pageOf(entries, {
      ...{ kind, params, form: formed, reports },
      size: scope.settings.listSettings.pageSize,
    })
  if (kind === 'tools') {
    const { tools, reports } = await toolList(gateway, scope, request)
    if (!traitsOf(request, metaOf({ params })).simple) return page(tools, reports)
    const simple = simpleEntries()
    return page(tools, reports, (entry) => form(simple(entry)))
  }
  const catalog = await gateway.tools.list(scope)
  const capability = kind === 'resourceTemplates' ? 'resources' : kind
  if (!(capability in capabilitiesOf(catalog))) return undefined
  return page(catalog[kind], reportsMeta(catalog))
}

/** The result of a method that a feature has. @throws {RpcFailure} */
export async function answerMethod(
  { gateway, scope }: Exchange,
  { method, params }: RpcRequest,
): Promise<object | undefined> {
  const answer = await scope.hooks.answerMethod(gateway, scope, { method, params })
  if (!answer || 'result' in answer) return answer?.result
  if ('problem' in answer) throw invalidParams(answer.problem)
  const size = scope.settings.listSettings.pageSize
  return pageOf(answer.entries, { ...answer, params, size, reports: undefined })
}

interface Page {
  /** The field of the result with the entries; a cursor is only valid for its own list. */
  kind: string
  params: Readonly<Record<string, unknown>>
  form: (entry: Entry) => object
  /** Entries of one page. */
  size: number
  reports: object | undefined
}

function pageOf(
  entries: readonly Entry[],
  { kind, params, form, size, reports }: Page,
): Record<string, unknown> {
  // Some clients write what they do not have as null.
  const start =
    (params.cursor ?? undefined) === undefined ? 0 : readCursor(kind, params.cursor, entries)
  const end = start + size
  const last = entries.length > end ? entries[end - 1] : undefined
  return {
    [kind]: entries.slice(start, end).map(form),
    nextCursor: last && writeCursor(kind, end, last),
    _meta: reports,
  }
}

// The name finds the position again when the list has changed; the number is used when the entry is gone.
function writeCursor(kind: string, end: number, { name }: Entry): string {
  return pack([kind, end, name])
}

function readCursor(kind: string, cursor: unknown, entries: readonly Entry[]): number {
  const [of, end, name] = toArray(isString(cursor) && unpack(cursor))
  if (of !== kind || !Number.isInteger(end) || !((end as number) > 0)) {
    throw invalidParams('params.cursor must be a cursor of this list')
  }
  const place = entries.findIndex((entry) => entry.name === name) + 1
  return place > 0 ? place : (end as number)
}

function toArray(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}
