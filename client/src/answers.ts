/**
 * What a server may ask of its client in the middle of a call. Nothing is declared that nobody here answers.
 *
 * @module
 */
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

/** How a server’s questions in the middle of a call are answered. What is left out, servers cannot ask. */
export interface Answers {
  /** Asks the user: a form to fill in. Defaults of the form are filled in for what the answer leaves out. */
  elicitation?: (params: ElicitRequestParams) => ElicitResult | Promise<ElicitResult>
  /** Asks the model. */
  sampling?: (
    params: CreateMessageRequestParams,
  ) => CreateMessageResult | Promise<CreateMessageResult>
  /** Which folders the server may look at. */
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

/** The answers to what a task asks, under the keys it asks by. */
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
    throw new ViolationError(`a task asks for ${String(method)}, which nobody here answers`)
  })
  return Object.fromEntries(await Promise.all(entries)) as Record<string, unknown>
}
