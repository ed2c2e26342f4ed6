/** The internal request of a call: one, as long as the component has the address it is expected to have. */
import {
  BodyTooLarge,
  type Deadline,
  DeadlineExceeded,
  discard,
  jsonIn,
  readSoon,
  readText,
  startDeadline,
} from 'ftl-http'
import { callTimeoutOf } from '../call-settings.ts'
import type { CatalogTool } from '../catalog/catalog.ts'
import { errorIn } from '../error-in.ts'
import { keepStarted } from '../jobs/kept-jobs.ts'
import { logError } from '../log.ts'
import type { Scope } from '../scope.ts'
import { StoreFull } from '../store-failure.ts'
import { fetchComponent, ANSWER_LIMIT } from '../component-fetch.ts'
import { askedBy, type Expected, failed, noResult, readAnswer } from './answer.ts'
import { readCallLines } from './answer-lines.ts'
import { callBody, type CallContext, callHeaders, isRepeated } from './call-context.ts'
import type { ToolCall } from './invoker.ts'
import type { CallEvents, Outcome, Settled } from './outcome.ts'
import { tokenFor } from './passed-token.ts'
import { noRoom } from './no-room.ts'

export interface ComponentCall<R> {
  component: string
  /** Where the component takes it; a later path is for a component that has not the earlier. */
  paths: string[]
  /** Sent by POST; without them a first request is a GET. */
  arguments?: Readonly<Record<string, unknown>>
  context: CallContext
  expected: Expected<R>
  /** Milliseconds it may take. @default those of any call */
  timeoutMs?: number
  /** Sent besides those of the context. */
  headers?: Readonly<Record<string, string>>
}

/** Set by `ftl build` for an application whose gateway has no variable for it. */
declare const BUILT_WITHOUT_CALLER_TOKEN: true | undefined

/** The request with which the component of a tool gets a call. */
export function sentTo<R>(
  { component, description, callAt }: CatalogTool,
  { arguments: args, context }: ToolCall,
  expected: Expected<R>,
): ComponentCall<R> {
  return {
    component,
    paths: callAt.map((address) => address.replace('{tool}', description.name)),
    arguments: args,
    context,
    expected,
  }
}

/** Never throws for what the component does. */
export async function callComponent<R>(scope: Scope, call: ComponentCall<R>): Promise<Outcome<R>> {
  const { component, paths, context, expected, arguments: args } = call
  if (context.requestState && context.requestState.of !== component) return FOREIGN_STATE
  const timeoutMs = call.timeoutMs ?? callTimeoutOf(scope)
  const posts = args !== undefined || isRepeated(context)
  const init = {
    method: posts ? 'POST' : 'GET',
    headers: { ...callHeaders(scope, context), ...call.headers },
    body: posts ? callBody(context, args ?? {}) : undefined,
  }
  if (context.begins) {
    // The body of a repeated call has more than the arguments.
    const written = isRepeated(context)
      ? context.begins(component, JSON.stringify(args ?? {}))
      : context.begins(component, init.body ?? '', init.headers)
    if (written) await written
  }
  // Last of all, so that nothing writes it down.
  if (typeof BUILT_WITHOUT_CALLER_TOKEN === 'undefined') {
    Object.assign(init.headers, tokenFor(scope, component))
  }
  const limit = ANSWER_LIMIT
  const deadline = startDeadline(timeoutMs, scope.connection)
  const { signal } = deadline
  let reading = false
  let outcome: Outcome<R> = { kind: 'unknown' }
  try {
    for (const path of paths) {
      reading = false
      const answer = fetchComponent(scope, component, path, { ...init, timeoutMs, signal })
      const response = await deadline.race(answer)
      reading = true
      const special = withoutText(scope, call, response, deadline)
      if (special) outcome = await special
      else {
        const text = readSoon(response, { limit, signal })
        const read = typeof text === 'string' ? text : await deadline.race(text)
        outcome = askedBy(component, readAnswer(expected, response, read))
      }
      // An address the component does not have: nothing has run.
      if (outcome.kind !== 'unknown') break
    }
    if (outcome.kind === 'job') {
      // A component answers for its own jobs only.
      const isOwn = outcome.job.component === component
      const job = isOwn ? await keepStarted(scope, outcome.job) : undefined
      return job ? { kind: 'job', job } : noResult(expected)
    }
    if (outcome.kind !== 'stream') return outcome
    const events = ending(scope, call, outcome.events, deadline)
    return context.listens ? { kind: 'stream', events } : await drain(events)
  } catch (error) {
    if (error instanceof StoreFull) return noRoom(error)
    return reading ? brokenOff(scope, call, error) : failureOf(scope, call, error)
  } finally {
    // A stream that goes on ends its deadline itself.
    if (outcome.kind !== 'stream') deadline.end()
  }
}

/** The name belongs to another component by now than the one that gave the state. */
const FOREIGN_STATE: Settled<never> = {
  kind: 'invalid-arguments',
  errors: [{ path: 'requestState', message: 'was issued by another component' }],
}

/** What comes of a response whose body is not read to the end first. */
function withoutText<R>(
  scope: Scope,
  call: ComponentCall<R>,
  response: Response,
  deadline: Deadline,
): Outcome<R> | Promise<Outcome<R>> | undefined {
  const { expected } = call
  const { status, headers } = response
  if (status >= 500) return crashed(scope, call, response, deadline)
  if (status === 200 && headers.get('content-type')?.startsWith('application/x-ndjson')) {
    const limits = { limit: ANSWER_LIMIT, deadline }
    return { kind: 'stream', events: readCallLines(expected, response, limits) }
  }
  return undefined
}

/** Characters of an error that a developer is shown. */
const ERROR_LIMIT = 64 * 1024

/** What it says of itself may hold paths and secrets, so only a developer is shown it. */
async function crashed<R>(
  scope: Scope,
  call: ComponentCall<R>,
  response: Response,
  deadline: Deadline,
): Promise<Settled<R>> {
  const { what } = call.expected
  const { requestId, settings } = scope
  logError(scope, addressOf(call), `it answered with status ${response.status}`)
  const internal = `The ${what} failed: internal error, request id ${requestId}.`
  if (settings.devBuild === '') {
    // A component that crashes answers with a body that may never end.
    discard(response)
    return { kind: 'tool-failed', message: internal }
  }
  const limits = { limit: ERROR_LIMIT, signal: deadline.signal }
  const text = await deadline.race(readText(response, limits)).catch(() => '')
  const said = errorIn(jsonIn(text))?.message
  return {
    kind: 'tool-failed',
    message: said ?? `${internal} The terminal of "ftl dev" shows what the component printed.`,
  }
}

/** The events, with a deadline that ends with them and no error but as an outcome. */
async function* ending<R>(
  scope: Scope,
  call: ComponentCall<R>,
  events: CallEvents<R>,
  deadline: Deadline,
): CallEvents<R> {
  try {
    return askedBy(call.component, yield* events)
  } catch (error) {
    return brokenOff(scope, call, error)
  } finally {
    deadline.end()
  }
}

/** To the end, without looking at what happens on the way. */
export async function drain<R>(events: AsyncGenerator<unknown, R, undefined>): Promise<R> {
  for (;;) {
    const next = await events.next()
    if (next.done) return next.value
  }
}

/** The component had begun to answer. */
function brokenOff<R>(scope: Scope, call: ComponentCall<R>, error: unknown): Settled<R> {
  if (error instanceof DeadlineExceeded) return failureOf(scope, call, error)
  if (!(error instanceof BodyTooLarge)) return failed(call.expected, 'broke off its answer')
  const fault = `answered ${error.message}`
  logError(
    scope,
    addressOf(call),
    `it ${fault}; return the address of a file instead (resourceLink)`,
  )
  return failed(call.expected, fault)
}

function failureOf<R>(scope: Scope, call: ComponentCall<R>, error: unknown): Settled<R> {
  if (error instanceof DeadlineExceeded) {
    const fault = `gave ${error.message}`
    logError(scope, addressOf(call), `it ${fault}; make it a job, or raise call_timeout_ms`)
    return {
      kind: 'unreachable',
      message: `The ${call.expected.what} ${fault}.`,
      late: true,
    }
  }
  logError(scope, addressOf(call), error)
  return { kind: 'unreachable', message: `The component "${call.component}" cannot be reached.` }
}

/** The paths are tried one after the other; the last one names the tool. */
const addressOf = <R>({ component, paths }: ComponentCall<R>) => component + (paths.at(-1) ?? '')
