/** Requests that a server may send to its client during a call. Only capabilities that have a handler are declared. */
import type {
  ClientCapabilities,
  CreateMessageRequestParams,
  CreateMessageResult,
  ElicitRequestParams,
  ElicitResult,
  Root,
} from '@modelcontextprotocol/client'
import { ViolationError } from './errors.ts'
import { TASKS_EXTENSION } from './jobs/follow-task.ts'
import type { Wire } from './wire.ts'

/** Handlers for requests that a server sends during a call. A request without a handler is rejected. */
export interface Answers {
  /** Asks the user to fill in a form. Fields missing in the answer get the form's defaults, except in tasks. */
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

/** The answers to a task's requests, under the same keys. */
export async function answerTask(
  { elicitation, sampling, roots }: Answers,
  requests: Record<string, unknown>,
): Promise<Record<string, unknown>> {
  const entries = Object.entries(requests).map(async ([key, request]) => {
    const { method, params } = request as { method?: unknown; params?: unknown }
    if (method === 'elicitation/create' && elicitation) {
      return [key, await elicitation(params as ElicitRequestParams)]
    }
    if (method === 'sampling/createMessage' && sampling) {
      return [key, await sampling(params as CreateMessageRequestParams)]
    }
    if (method === 'roots/list' && roots) return [key, { roots: await roots() }]
    throw new ViolationError(
      `a task asks for ${String(method)}, which this client does not support`,
    )
  })
  return Object.fromEntries(await Promise.all(entries)) as Record<string, unknown>
}
