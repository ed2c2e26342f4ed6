/** Forwards a call of one tool to its server. */
import { ToolError, type ToolGenerator } from 'ftl-sdk'
import { type Content, type InputRequired, isObject, type ToolResult } from 'ftl-contract'
import { ownArguments } from './argument-names.ts'
import { othersOf, type Remotes } from './catalog.ts'
import { learnLists } from './current-list.ts'
import { askToSignIn, settleSignIn } from './consent/ask.ts'
import { authorized } from './consent/authorized.ts'
import { isConsentServer } from './consent/consents.ts'
import { SignInNeeded } from './consent/tokens.ts'
import { isExchangeServer } from './exchange/settings.ts'
import { hasLinks, linkedContent, linksOf } from './links.ts'
import type { RemoteServer } from './servers.ts'
import { ownerOf } from './session-owner.ts'
import type { Target } from './store.ts'
import { updatesOf } from './updates.ts'
import { connect, doubtOf, isOver, type Left } from './wire/connect.ts'
import type { Answer } from './wire/exchange.ts'
import { RemoteError } from './wire/remote-error.ts'
import { withLogLevel } from './wire/log-level.ts'
import { sendCall } from './wire/task.ts'
import type { Call, Connection } from './wire/request.ts'
import { paramHeaders } from './wire/standard-headers.ts'

/** Reserved for returning the answer to the caller. */
const MARGIN_MS = 300
/** Bytes of an answer; the gateway accepts 8 MiB from a component. */
const ANSWER_LIMIT = 8 * 1024 * 1024
/** Capabilities of the gateway's client that are declared to a server. */
const ASKABLE = ['elicitation', 'sampling', 'roots']
const SERVER_META = /^io\.modelcontextprotocol\//

/** Yields the server's progress and returns the tool's result. @throws {ToolError} when the server fails. */
export async function* callRemote(
  remotes: Remotes,
  server: RemoteServer,
  target: Target,
  args: Readonly<Record<string, unknown>>,
): ToolGenerator {
  try {
    const asked = await settleSignIn(remotes, server)
    if (asked) return asked
    const call = callOf(remotes, server, target, args)
    const result = yield* updatesOf(answerOf(remotes, server, call))
    const answer = toAnswer(result)
    if (!('content' in answer) || !hasLinks(answer.content)) return answer
    const { addresses } = await othersOf(remotes, () => true)
    const link = linksOf(addresses, server.name)
    return { ...answer, content: answer.content.map((item) => linkedContent(item, link)) }
  } catch (error) {
    if (error instanceof SignInNeeded) return askToSignIn(remotes, server)
    if (!(error instanceof RemoteError)) throw error
    const { message, kind, code } = error
    throw new ToolError(`The server "${server.name}" ${message}.`, {
      kind,
      server: server.name,
      ...(code !== undefined && { code }),
    })
  }
}

/** The answer to a request that is not a call of a tool. @throws {RemoteError} */
export async function ask(
  remotes: Remotes,
  server: RemoteServer,
  { method, params }: Pick<Call, 'method' | 'params'>,
): Promise<Record<string, unknown>> {
  const answer = answerOf(remotes, server, {
    ...commonOf(remotes, server),
    method,
    params: { ...params, ...askedAgain(remotes) },
  })
  for (;;) {
    const next = await answer.next()
    if (next.done) return next.value
  }
}

/** Times that one answer makes a list too old. A list has megabytes, and a server can say tens of thousands of times that it has changed. */
const MOST_CHANGES = 16
const LIST_CHANGED = /^notifications\/(?:tools|prompts|resources)\/list_changed$/

function commonOf({ context, store }: Remotes, { name, timeoutMs }: RemoteServer) {
  const capabilities = Object.fromEntries(
    Object.entries(context.clientCapabilities).filter(([name]) => ASKABLE.includes(name)),
  )
  let changes = 0
  let expiring = false
  return {
    capabilities,
    timeoutMs: Math.max(1, Math.min(timeoutMs, context.deadline - MARGIN_MS)),
    limit: ANSWER_LIMIT,
    // A call may change what the server offers, and some servers say so within its answer.
    onNotice: (method: string) => {
      if (!LIST_CHANGED.test(method) || expiring || ++changes > MOST_CHANGES) return
      expiring = true
      const expired = store.expireList(name).finally(() => (expiring = false))
      context.platform.waitUntil(expired)
    },
  }
}

/** What the client sends when it repeats a request with answers. */
function askedAgain({ context, isAnswered = false }: Remotes) {
  const { trace } = context
  const { inputResponses, requestState } = isAnswered ? {} : context
  return {
    ...(trace && { _meta: trace }),
    ...(inputResponses && { inputResponses }),
    ...(requestState !== undefined && { requestState }),
  }
}

function callOf(
  remotes: Remotes,
  server: RemoteServer,
  { tool, params = [], ownNames, onlyAsTask }: Target,
  args: Readonly<Record<string, unknown>>,
): Call {
  return {
    ...commonOf(remotes, server),
    method: 'tools/call',
    params: { name: tool, arguments: ownArguments(args, ownNames), ...askedAgain(remotes) },
    headers: paramHeaders(params, args),
    ...(onlyAsTask && { onlyAsTask }),
    listens: remotes.context.listens === true,
    logLevel: remotes.context.logLevel,
  }
}

/** Where each user signs in, with the token of the caller. @throws {SignInNeeded} */
async function* answerOf(remotes: Remotes, server: RemoteServer, call: Call): Answer {
  if (!isConsentServer(server) && !isExchangeServer(server)) {
    return yield* answerFrom(remotes, server, call)
  }
  const first = await authorized(remotes, server, call.timeoutMs)
  try {
    const result = yield* answerFrom(remotes, first.server, call)
    remotes.context.platform.waitUntil(learnLists(remotes, server, first.server))
    return result
  } catch (error) {
    // The server has refused the request before it ran, so it can be sent again.
    if (!(error instanceof RemoteError) || error.status !== 401) throw error
    const next = await authorized(remotes, server, call.timeoutMs, first.token)
    try {
      return yield* answerFrom(remotes, next.server, call)
    } catch (again) {
      // The tokens are kept: a server that refuses new ones may have a fault that passes.
      const isRefused = again instanceof RemoteError && again.status === 401
      if (isRefused && isConsentServer(server)) throw new SignInNeeded()
      throw again
    }
  }
}

async function* answerFrom(
  { store, network, context, digest }: Remotes,
  server: RemoteServer,
  call: Call,
): Answer {
  const { platform } = context
  const until = platform.now() + call.timeoutMs
  const left: Left = () => Math.max(1, until - platform.now())
  const place = { server: server.name, digest, owner: await ownerOf(context) }
  const known = await store.connection(place)
  if (known) {
    try {
      return yield* sendCall(network, server, await levelled(known), call, left)
    } catch (error) {
      // The server rejected the request before running it: the session has ended, or the server was replaced.
      if (!isOver(error, known)) {
        const doubt = doubtOf(error, known, platform.now())
        if (doubt) await store.forgetConnection(place)
        if (doubt !== 'refused') throw error
      }
    }
  }
  const connection = { ...(await connect(network, server, left)), madeAt: platform.now() }
  await store.keepConnection(place, connection)
  const ready = await levelled(connection)
  return yield* sendCall(network, server, ready, { ...call, timeoutMs: left() }, left)

  /** With the level of the log that the caller wants, which a session of an older revision keeps. */
  async function levelled(connection: Connection): Promise<Connection> {
    const next = await withLogLevel(network, server, connection, { ...call, timeoutMs: left() })
    if (next !== connection) await store.keepConnection(place, next)
    return next
  }
}

/** @throws {RemoteError} when the result is not that of a tool. */
function toAnswer(result: Record<string, unknown>): ToolResult | InputRequired {
  const asked = inputRequired(result)
  if (asked) return asked
  const { content, structuredContent, isError } = result
  const { _meta: meta } = withoutServerMeta(result)
  return {
    content: contentOf(content, structuredContent),
    ...(structuredContent !== undefined && { structuredContent }),
    ...(isError === true && { isError }),
    ...(isObject(meta) && { _meta: meta }),
  }
}

/** The server's question to the client, if it is one. @throws {RemoteError} when it is neither that nor a result. */
export function inputRequired(result: Record<string, unknown>): InputRequired | undefined {
  const { resultType = 'complete' } = result
  if (resultType === 'complete') return undefined
  if (resultType === 'input_required') {
    const { inputRequests, requestState } = result as unknown as InputRequired
    return {
      resultType,
      ...(inputRequests && { inputRequests }),
      ...(requestState !== undefined && { requestState }),
    }
  }
  throw new RemoteError(
    'violation',
    `answered with a ${String(resultType).slice(0, 32)}, which was not requested`,
  )
}

/** Without what the protocol says about the exchange with the server. */
export function withoutServerMeta(result: Record<string, unknown>): Record<string, unknown> {
  const { resultType: _, _meta: meta, ...rest } = result
  const own = isObject(meta) ? Object.entries(meta).filter(([key]) => !SERVER_META.test(key)) : []
  return own.length > 0 ? { ...rest, _meta: Object.fromEntries(own) } : rest
}

function contentOf(content: unknown, structured: unknown): Content[] {
  const items: unknown[] = Array.isArray(content) ? content : []
  if (
    Array.isArray(content) &&
    items.every((item) => isObject(item) && typeof item['type'] === 'string')
  ) {
    return items as Content[]
  }
  if (content === undefined && structured !== undefined) {
    return [{ type: 'text', text: JSON.stringify(structured) }]
  }
  throw new RemoteError('violation', 'answered without content')
}
