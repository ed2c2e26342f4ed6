/**
 * Revision 2026-07-28: every request has all it needs, and no session is stored.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28
 */
import { IDEMPOTENCY_HEADER } from 'ftl-contract'
import { originOf } from '../../../calls/client-request.ts'
import { traitsOf } from '../../../client-traits.ts'
import { type CallContext, isRepeated, traceOf } from '../../../invoke/call-context.ts'
import { withAbsoluteOutputs } from '../../../invoke/output-links.ts'
import { asPromised, errorText, featureFailure, toolFailure } from '../core/failures.ts'
import { askFeature, type FeatureResult, unknownFeature } from '../core/features.ts'
import { answerMethod, capabilitiesOf, LISTS, listPage, notFound } from '../core/list.ts'
import { readableContent } from '../core/readable-content.ts'
import { type McpCall, readToolCall, serveToolCall, type ToolCallForm } from '../core/tool-call.ts'
import { type EraHandler, metaOf, type Reply } from '../exchange.ts'
import { instructionsFor } from '../../../catalog/relayed-instructions.ts'
import { SERVER_INFO, SERVER_INSTRUCTIONS, SERVER_NAME } from '../../../server-info.ts'
import { result } from '../json-rpc.ts'
import { MODERN_VERSIONS } from '../../../calls/mcp-versions.ts'
import { type Envelope, readEnvelope, SERVER_KEY } from './envelope.ts'
import { headerMismatch, isMissingCapability, missingCapability } from './errors.ts'
import { checkHeaders, paramMismatch } from './headers.ts'
import { inputRequired, type Question, repeated } from './input-required.ts'
import { listen } from './listen.ts'
import { answerTask, followsTasks, TASKS_EXTENSION, taskOf } from './tasks.ts'

/** Set by `ftl build` for an application without a component that has other servers behind it. */
declare const BUILT_WITHOUT_INSTRUCTIONS: true | undefined

interface Call extends McpCall {
  envelope: Envelope
}

const NOT_FOUND = 404

export const modernEra: EraHandler = {
  answer(exchange, request) {
    const envelope = readEnvelope(metaOf(request))
    checkHeaders(exchange.request.headers, request, envelope.version)
    const { method } = request
    const call = { exchange, request, envelope }
    if (method === 'tools/call') return callTool(call)
    if (method === 'subscriptions/listen' && exchange.acceptsEvents) {
      return listen(exchange, request, finished).then((messages) => ({ messages }))
    }
    return answer(call)
  },
}

async function answer(call: Call): Promise<Reply> {
  return { answer: result(call.request.id, await resultOf(call)) }
}

async function resultOf(call: Call): Promise<object> {
  const { exchange, request } = call
  const kind = LISTS.get(request.method)
  const page = kind && (await listPage(exchange, request, kind))
  if (page) return finished({ ...page, ...listCaching(call) })
  if (request.method === 'server/discover') return discover(call)
  const task = await answerTask(exchange, request, call.envelope, finished)
  if (task) return finished(task)
  const settled = await askFeature(exchange, request, () => contextOf(call))
  if (!settled) {
    const own = await answerMethod(exchange, request)
    if (own) return finished({ ...own, ...listCaching(call) })
    throw notFound(request.method, NOT_FOUND)
  }
  if (settled.kind === 'input-required') return asking(call, settled)
  if (settled.kind !== 'result') throw featureFailure(settled, () => unknownFeature(request))
  return finished({
    ...settled.result,
    ...(request.method === 'resources/read' && resourceCaching(settled.result)),
  })
}

/** Every result names its type and the server. */
function finished(value: object, resultType = 'complete', server: object = SERVER_NAME): object {
  const { _meta, resultType: _, ...rest } = value as { _meta?: object; resultType?: unknown }
  return { resultType, ...rest, _meta: { ..._meta, [SERVER_KEY]: server } }
}

/** Lists may be as old as the catalog. Only without authentication, and in the full form, they are for all clients. */
function listCaching({ exchange: { scope, request }, request: message }: Call): object {
  const isForAll = scope.caller === undefined && !traitsOf(request, metaOf(message)).simple
  return {
    ttlMs: scope.settings.catalogTtlMs,
    cacheScope: isForAll ? 'public' : 'private',
  }
}

async function discover(call: Call): Promise<object> {
  const { gateway, scope } = call.exchange
  const catalog = await gateway.tools.list(scope)
  const { extensions, ...own } = capabilitiesOf(catalog, scope)
  const offer = {
    supportedVersions: MODERN_VERSIONS,
    capabilities: { ...own, extensions: { ...extensions, ...TASKS_EXTENSION.extensions } },
    ...(typeof BUILT_WITHOUT_INSTRUCTIONS === 'undefined'
      ? instructionsFor(catalog)
      : SERVER_INSTRUCTIONS),
    ...listCaching(call),
  }
  return finished(offer, undefined, SERVER_INFO)
}

async function callTool(sent: Call): Promise<Reply> {
  const { exchange, request, envelope } = sent
  const { wanted, call } = readToolCall(sent, envelope.logLevel)
  const { headers } = exchange.request
  wanted.tasks = followsTasks(envelope)
  wanted.capabilities = envelope.capabilities
  wanted.protocol = envelope.version
  wanted.refuse = ({ description }) => paramMismatch(headers, description.inputSchema, wanted.args)
  if (isRepeated(request.params)) wanted.answers = await repeated(exchange, request)
  return serveToolCall(call, wanted, MODERN)
}

const MODERN: ToolCallForm<Call> = {
  startedJob({ request, envelope }, job) {
    return followsTasks(envelope) ? result(request.id, finished(taskOf(job), 'task')) : undefined
  },

  answer(call, settled) {
    const { exchange, request } = call
    switch (settled.kind) {
      case 'result': {
        const value = withAbsoluteOutputs(
          asPromised(settled),
          originOf(exchange.request),
          exchange.scope.links,
        )
        return result(request.id, finished(readableContent(value, exchange, request)))
      }
      case 'input-required':
        return asking(call, settled).then(
          (asked) => result(request.id, asked),
          (error: unknown) => result(request.id, readable(call, error)),
        )
      case 'missing-capability':
        return result(request.id, readable(call, missingCapability(settled.required)))
      case 'refused':
        throw headerMismatch(settled.reason)
      default:
        return result(request.id, finished(toolFailure(request.params.name as string, settled)))
    }
  },
}

/** What the client lacks, as a result for one that shows a model no errors. @throws what it is for any other */
function readable({ exchange, request }: Call, error: unknown): object {
  const lacks = isMissingCapability(error)
  if (!lacks || !traitsOf(exchange.request, metaOf(request)).losesErrors) throw error
  return finished(errorText(error.error.message))
}

/** Only the component knows which clients may cache a resource, and how long. */
function resourceCaching({ ttlMs = 0, cacheScope }: FeatureResult): object {
  return {
    ttlMs: Number.isInteger(ttlMs) && ttlMs > 0 ? ttlMs : 0,
    cacheScope: cacheScope === 'public' ? cacheScope : 'private',
  }
}

async function asking({ exchange, request, envelope }: Call, question: Question) {
  return finished(await inputRequired(exchange, request, envelope, question), 'input_required')
}

async function contextOf({ exchange, request, envelope }: Call): Promise<CallContext> {
  return {
    trace: traceOf(exchange.request.headers, metaOf(request)),
    idempotencyKey: exchange.request.headers.get(IDEMPOTENCY_HEADER),
    capabilities: envelope.capabilities,
    protocol: envelope.version,
    ...(await repeated(exchange, request)),
  }
}
