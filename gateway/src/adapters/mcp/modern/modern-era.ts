/**
 * Revision 2026-07-28: every request says what it needs, nothing is remembered.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28
 */
import { IDEMPOTENCY_HEADER } from 'ftl-contract'
import type { CallContext } from '../../../invoke/call-context.ts'
import { traceOf } from '../../../invoke/call-context.ts'
import { withAbsoluteOutputs } from '../../../invoke/output-links.ts'
import type { Settled } from '../../../invoke/outcome.ts'
import { offerFailure, toolFailure } from '../core/failures.ts'
import { capabilitiesOf, LISTS, listPage, notFound } from '../core/list.ts'
import { askOffer, type Offered, unknownOffer } from '../core/offers.ts'
import { callJobTool } from '../core/job-tools.ts'
import { namedCall } from '../core/params.ts'
import { run } from '../core/run.ts'
import {
  type EraHandler,
  type Exchange,
  metaOf,
  originOf,
  progressTokenOf,
  type Reply,
  waitOf,
} from '../exchange.ts'
import { result, type RpcRequest } from '../json-rpc.ts'
import { MODERN_VERSIONS, SERVER_INFO } from '../versions.ts'
import { type Envelope, readEnvelope, SERVER_KEY } from './envelope.ts'
import { checkHeaders, paramMismatch } from './headers.ts'
import { listen } from './listen.ts'
import { answerTask, followsTasks, TASKS_EXTENSION, taskOf } from './tasks.ts'
import { headerMismatch, missingCapability } from './errors.ts'
import { inputRequired, type Question, repeated } from './input-required.ts'

interface Call {
  exchange: Exchange
  request: RpcRequest
  envelope: Envelope
}

const NOT_FOUND = 404

export const modernEra: EraHandler = {
  answer(exchange, request) {
    const envelope = readEnvelope(metaOf(request))
    checkHeaders(exchange.request.headers, request, envelope.version)
    const { id, method } = request
    const call = { exchange, request, envelope }
    if (method === 'tools/call') return callTool(call)
    if (method === 'subscriptions/listen' && exchange.acceptsEvents) {
      return { messages: listen(id, finished) }
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
  if (page) return finished({ ...page, ...kept(exchange) })
  if (request.method === 'server/discover') return discover(call)
  const task = await answerTask(exchange, request, call.envelope, finished)
  if (task) return finished(task)
  const settled = await askOffer(exchange, request, () => contextOf(call))
  if (!settled) throw notFound(request.method, NOT_FOUND)
  if (settled.kind === 'input-required') return asking(call, settled)
  if (settled.kind !== 'result') throw offerFailure(settled, () => unknownOffer(request))
  return finished({
    ...settled.result,
    ...(request.method === 'resources/read' && keptOf(settled.result)),
  })
}

/** Every result says what it is and whose. */
function finished(value: object, resultType = 'complete'): object {
  const { _meta, resultType: _, ...rest } = value as { _meta?: object; resultType?: unknown }
  return { resultType, ...rest, _meta: { ..._meta, [SERVER_KEY]: SERVER_INFO } }
}

/** Lists are the same for everyone, and as old as the catalog may be. */
function kept({ scope }: Exchange): object {
  return { ttlMs: scope.settings.catalogTtlMs, cacheScope: 'public' }
}

async function discover({ exchange }: Call): Promise<object> {
  const { gateway, scope } = exchange
  const { extensions, ...own } = capabilitiesOf(await gateway.tools.list(scope))
  return finished({
    supportedVersions: MODERN_VERSIONS,
    capabilities: { ...own, extensions: { ...extensions, ...TASKS_EXTENSION.extensions } },
    ...kept(exchange),
  })
}

async function callTool(call: Call): Promise<Reply> {
  const { exchange, request, envelope } = call
  const { id, params } = request
  const named = namedCall(params, 'tool')
  const { name, args } = named
  const { gateway, scope } = exchange
  const { headers } = exchange.request
  const tasks = followsTasks(envelope)
  const progressToken = progressTokenOf(exchange, request)
  const logLevel = exchange.acceptsEvents ? envelope.logLevel : undefined
  const listens = progressToken !== undefined || logLevel !== undefined
  const own = callJobTool(exchange, named)
  const outcome =
    (own && (await own)) ??
    (await gateway.invoker.call(scope, {
      name,
      arguments: args,
      context: { ...(await contextOf(call)), listens, tasks, logLevel },
      refuse: ({ description }) => paramMismatch(headers, description.inputSchema, args),
    }))
  if (outcome.kind === 'job' && tasks) {
    return { answer: result(id, finished(taskOf(outcome.job), 'task')) }
  }
  const answer = (settled: Settled) => {
    if (settled.kind === 'missing-capability') throw missingCapability(settled.required)
    if (settled.kind === 'refused') throw headerMismatch(settled.reason)
    if (settled.kind === 'input-required') {
      return asking(call, settled).then((asked) => result(id, asked))
    }
    const value =
      settled.kind === 'result'
        ? withAbsoluteOutputs(settled.result, originOf(exchange.request))
        : toolFailure(name, settled)
    return result(id, finished(value))
  }
  const waitMs = waitOf(request)
  return run(exchange, outcome, { id, progressToken, logLevel, waitMs, answer })
}

/** Who may keep a resource and how long, only the component knows. */
function keptOf({ ttlMs = 0, cacheScope }: Offered): object {
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
    ...(await repeated(exchange, request)),
  }
}
