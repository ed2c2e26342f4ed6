/** The revisions with a handshake: 0.1.0, 2024-11-05, 2025-03-26, 2025-06-18, 2025-11-25. */
import { isObject, isString, type JsonSchema } from 'ftl-contract'
import { originOf } from '../../../calls/client-request.ts'
import { withHandle } from '../../../jobs/job-handle.ts'
import { describedEntry } from '../../../catalog/listed-entry.ts'
import type { Entry } from '../../../catalog/catalog.ts'
import { lookup } from '../../../catalog/lookup.ts'
import { omitsVersion } from '../../../client-traits.ts'
import { isLogLevel } from '../../../invoke/answer-lines.ts'
import { traceOf } from '../../../invoke/call-context.ts'
import { withAbsoluteOutputs } from '../../../invoke/output-links.ts'
import { asPromised, featureFailure, toolFailure } from '../core/failures.ts'
import { askFeature, unknownFeature } from '../core/features.ts'
import { answerMethod, capabilitiesOf, LISTS, listPage, notFound } from '../core/list.ts'
import { uriParam } from '../core/params.ts'
import { readableContent } from '../core/readable-content.ts'
import { instructionsFor } from '../../../catalog/relayed-instructions.ts'
import { SERVER_INFO, SERVER_INSTRUCTIONS, SERVER_NAME } from '../../../server-info.ts'
import { type McpCall, readToolCall, serveToolCall, type ToolCallForm } from '../core/tool-call.ts'
import { type EraHandler, type Exchange, metaOf, type Reply } from '../exchange.ts'
import { invalidParams, result, RpcFailure, type RpcRequest } from '../json-rpc.ts'
import {
  HEADERLESS_VERSION,
  LEGACY_VERSIONS,
  NEWEST_LEGACY_VERSION,
  REFERENCE_VERSION,
} from '../../../calls/mcp-versions.ts'
import { plainFailure, streamStart } from './plain-client.ts'

/** Set by `ftl build` for an application without a component that has other servers behind it. */
declare const BUILT_WITHOUT_INSTRUCTIONS: true | undefined

/** Gives the result of one method. @throws {RpcFailure} */
type LegacyMethod = (exchange: Exchange, request: RpcRequest) => Promise<object>

// A Map, because the client sends the method's name and a plain object inherits names.
const METHODS: ReadonlyMap<string, LegacyMethod> = new Map<string, LegacyMethod>([
  ['initialize', initialize],
  ['ping', async () => ({})],
  ['resources/subscribe', acknowledge],
  ['resources/unsubscribe', acknowledge],
  ['logging/setLevel', setLevel],
])

export const legacyEra: EraHandler = {
  answer: (exchange, request) =>
    request.method === 'tools/call' ? callTool(exchange, request) : answer(exchange, request),
}

/** Log level for every client of these revisions, because `logging/setLevel` is not stored. */
const LOG_LEVEL = 'info'

function callTool(exchange: Exchange, request: RpcRequest): Promise<Reply> {
  const logLevel = exchange.versionHeader === undefined ? undefined : LOG_LEVEL
  const { wanted, call } = readToolCall({ exchange, request }, logLevel)
  wanted.protocol = protocolOf(exchange)
  return serveToolCall(call, wanted, LEGACY_FORM)
}

/** `undefined` for a plain client. One without a header that accepts events is of a revision before that header. */
function protocolOf({ versionHeader, acceptsEvents }: Exchange): string | undefined {
  if (versionHeader === undefined) return acceptsEvents ? HEADERLESS_VERSION : undefined
  return versionHeader === REFERENCE_VERSION ? undefined : versionHeader
}

function isPlain({ versionHeader, acceptsEvents, request }: Exchange): boolean {
  return versionHeader === undefined && !(acceptsEvents && omitsVersion(request))
}

const LEGACY_FORM: ToolCallForm<McpCall> = {
  startedJob({ exchange, request }, job) {
    return streamStart(exchange, request.id, job)
  },

  answer({ exchange, request: message }, settled) {
    const { request, scope } = exchange
    const { id, params } = message
    if (settled.kind === 'result') {
      const given = isPlain(exchange) ? settled.result : asPromised(settled)
      const absolute = withAbsoluteOutputs(given, originOf(request), scope.links)
      // Plain clients get a tool's own content types as the API reference shows them.
      const value = isPlain(exchange) ? absolute : readableContent(absolute, exchange, message)
      // Before 2026-07-28 `structuredContent` must be an object; the text has the same content.
      if (!isObject(value.structuredContent)) delete value.structuredContent
      // A name of 2026-07-28 only: the Rust SDK 3.11 takes a result with an unknown one for an answer to something else.
      if (!isPlain(exchange)) delete (value as { resultType?: unknown }).resultType
      return result(id, value)
    }
    const name = params.name as string
    if (isPlain(exchange)) return plainFailure(id, name, settled)
    return result(id, toolFailure(name, settled))
  },
}

async function answer(exchange: Exchange, request: RpcRequest): Promise<Reply> {
  const { method, id } = request
  const kind = LISTS.get(method)
  if (kind) {
    const form = kind === 'tools' ? legacyTool : describedEntry
    const page = await listPage(exchange, request, kind, form)
    if (page) return { answer: result(id, page) }
  }
  const known = METHODS.get(method)
  const value =
    (await (known ? known(exchange, request) : feature(exchange, request))) ??
    (await answerMethod(exchange, request))
  if (!value) throw notFound(method)
  return { answer: result(id, value) }
}

async function feature(exchange: Exchange, request: RpcRequest): Promise<object | undefined> {
  const trace = traceOf(exchange.request.headers, metaOf(request))
  const protocol = protocolOf(exchange)
  const settled = await askFeature(exchange, request, () => ({ trace, protocol }))
  if (!settled) return undefined
  if (settled.kind !== 'result') throw featureFailure(settled, () => unknown(request))
  const { ttlMs, cacheScope, ...value } = settled.result
  return value
}

/** @see https://modelcontextprotocol.io/specification/2025-11-25/server/resources#error-handling */
const RESOURCE_NOT_FOUND = -32002

function unknown(request: RpcRequest): RpcFailure {
  const { uri } = request.params
  if (uri === undefined) return unknownFeature(request)
  return new RpcFailure({ code: RESOURCE_NOT_FOUND, message: 'Resource not found', data: { uri } })
}

async function initialize({ gateway, scope }: Exchange, { params }: RpcRequest): Promise<object> {
  const version = params.protocolVersion
  if (!isString(version)) throw invalidParams('params.protocolVersion must be a string')
  // The API reference knows tools only, and shows this answer to the letter.
  const isReference = version === REFERENCE_VERSION
  const catalog = isReference ? undefined : await gateway.tools.list(scope)
  return {
    protocolVersion: LEGACY_VERSIONS.includes(version) ? version : NEWEST_LEGACY_VERSION,
    capabilities: catalog ? capabilitiesOf(catalog, scope) : { tools: {} },
    serverInfo: isReference ? SERVER_NAME : SERVER_INFO,
    ...(typeof BUILT_WITHOUT_INSTRUCTIONS === 'undefined' && catalog
      ? instructionsFor(catalog)
      : SERVER_INSTRUCTIONS),
  }
}

/**
 * Accepted, although no notification is ever sent: no capability to subscribe is declared. A resource of another server may
 * change, so a client must not wait for the news.
 */
async function acknowledge({ gateway, scope }: Exchange, request: RpcRequest): Promise<object> {
  const uri = uriParam(request.params)
  const entry = lookup(await gateway.tools.list(scope), 'resources', uri)
  if (!entry) throw unknown(request)
  if (entry.relays) throw notFound(request.method)
  return {}
}

/** Accepted, although no instance stores it: every call sends lines of level `info` or more severe. */
async function setLevel(
  { gateway, scope }: Exchange,
  { method, params }: RpcRequest,
): Promise<object> {
  if (!(await gateway.tools.list(scope)).logging) throw notFound(method)
  if (!isLogLevel(params.level)) throw invalidParams('params.level must be a log level')
  return {}
}

/** Older clients reject the whole list if one output schema is not an object type, or one property is a boolean. */
function legacyTool(entry: Entry): object {
  const { inputSchema, outputSchema, ...rest } = describedEntry(entry) as Record<string, JsonSchema>
  const output = withObjects(outputSchema?.type === 'object' ? outputSchema : undefined)
  return {
    ...rest,
    inputSchema: withObjects(inputSchema),
    outputSchema: output && entry.startsJobs ? withHandle(output, entry.name) : output,
  }
}

function withObjects(schema?: JsonSchema): JsonSchema | undefined {
  const properties = Object.entries(schema?.properties ?? {}).map(([name, property]) => [
    name,
    property === true ? {} : property === false ? { not: {} } : (property as unknown),
  ])
  return properties.length > 0
    ? { ...schema, properties: Object.fromEntries(properties) as object }
    : schema
}
