/** Requests that a server may send to its client during a call. Only capabilities that have a handler are declared. */
import {
  type ClientCapabilities,
  type CreateMessageRequestParams,
  type CreateMessageResult,
  type ElicitRequestFormParams,
  type ElicitRequestParams,
  type ElicitResult,
  isSpecType,
  type Root,
} from '@modelcontextprotocol/client'
import { ConfigError, ViolationError } from './errors.ts'
import { TASKS_EXTENSION } from './jobs/follow-task.ts'
import type { Wire } from './wire.ts'
import { isObject } from './is-object.ts'

/** Handlers for requests that a server sends during a call. A request without a handler is rejected. */
export interface Answers {
  /** Asks the user to fill in a form. Fields missing in the answer get the form's defaults. */
  elicitation?: (params: ElicitRequestParams) => ElicitResult | Promise<ElicitResult>
  /** Asks the model. */
  sampling?: (
    params: CreateMessageRequestParams,
  ) => CreateMessageResult | Promise<CreateMessageResult>
  /** Returns the folders that the server may access. */
  roots?: () => Root[] | Promise<Root[]>
}

export function capabilitiesOf({ elicitation, sampling, roots }: Answers): ClientCapabilities {
  return {
    extensions: { [TASKS_EXTENSION]: {} },
    ...(elicitation && { elicitation: { form: { applyDefaults: true } } }),
    ...(sampling && { sampling: {} }),
    ...(roots && { roots: {} }),
  }
}

export function register(wire: Wire, { elicitation, sampling, roots }: Answers): void {
  if (elicitation) wire.setRequestHandler('elicitation/create', ({ params }) => elicitation(params))
  if (sampling) wire.setRequestHandler('sampling/createMessage', ({ params }) => sampling(params))
  if (roots) wire.setRequestHandler('roots/list', async () => ({ roots: await roots() }))
}

/**
 * The answers to a task's requests, under the same keys. The official client does not see these requests, so requests
 * and answers are validated here.
 *
 * @throws {ViolationError} for a request that is invalid or has no handler. @throws {ConfigError} when a handler returns
 * an invalid answer.
 */
export async function answerTask(
  answers: Answers,
  requests: Record<string, unknown>,
): Promise<Record<string, unknown>> {
  const entries = Object.entries(requests).map(
    async ([key, request]) => [key, await answerRequest(answers, request)] as const,
  )
  return Object.fromEntries<unknown>(await Promise.all(entries))
}

async function answerRequest(
  { elicitation, sampling, roots }: Answers,
  request: unknown,
): Promise<unknown> {
  const { method, params } = isObject(request) ? request : {}
  if (method === 'elicitation/create' && elicitation) {
    // Only forms are declared as a capability.
    if (!isSpecType.ElicitRequestFormParams(params)) throw invalidRequest(method)
    return withDefaults(params, expectValid('ElicitResult', await elicitation(params)))
  }
  if (method === 'sampling/createMessage' && sampling) {
    if (!isSpecType.CreateMessageRequestParams(params)) throw invalidRequest(method)
    return expectValid('CreateMessageResult', await sampling(params))
  }
  if (method === 'roots/list' && roots) {
    return expectValid('ListRootsResult', { roots: await roots() })
  }
  throw new ViolationError(`a task asks for ${String(method)}, which this client does not support`)
}

function invalidRequest(method: string): ViolationError {
  return new ViolationError(`a task sent an invalid request ${method}`)
}

function expectValid<T extends object>(type: keyof typeof HANDLERS, answer: T): T {
  if (isSpecType[type](answer)) return answer
  throw new ConfigError(HANDLERS[type], `must return a valid ${type}`)
}

const HANDLERS = {
  ElicitResult: 'answers.elicitation',
  CreateMessageResult: 'answers.sampling',
  ListRootsResult: 'answers.roots',
} as const

/** Adds the form's defaults for fields that an accepted form leaves out. */
function withDefaults(
  { requestedSchema }: ElicitRequestFormParams,
  result: ElicitResult,
): ElicitResult {
  if (result.action !== 'accept' || !result.content) return result
  const defaults = Object.entries(requestedSchema.properties).flatMap(([name, field]) =>
    'default' in field && field.default !== undefined ? [[name, field.default] as const] : [],
  )
  return { ...result, content: { ...Object.fromEntries(defaults), ...result.content } }
}
