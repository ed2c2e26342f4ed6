/**
 * Questions to the client and its answers.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr
 */
import type { InputRequest, InputRequired } from 'ftl-contract'
import { type Call, record } from './call.ts'

/** Asks the user for one required value. */
export function askUser(message: string, property: string, type = 'string'): InputRequest {
  return {
    method: 'elicitation/create',
    params: {
      message,
      requestedSchema: {
        type: 'object',
        properties: { [property]: { type } },
        required: [property],
      },
    },
  }
}

/** Asks the client's model. */
export function askModel(text: string, maxTokens = 100): InputRequest {
  return {
    method: 'sampling/createMessage',
    params: { messages: [{ role: 'user', content: { type: 'text', text } }], maxTokens },
  }
}

export const ASK_ROOTS: InputRequest = { method: 'roots/list', params: {} }

export function inputRequired(
  inputRequests: Record<string, InputRequest>,
  requestState?: string,
): InputRequired {
  return {
    resultType: 'input_required',
    inputRequests,
    ...(requestState === undefined ? {} : { requestState }),
  }
}

/** The value the user gave; undefined when the answer is absent, declined or of another type. */
export function userValue(call: Pick<Call, 'answers'>, key: string, property: string): unknown {
  const answer = record(call.answers[key])
  return answer['action'] === 'accept' ? record(answer['content'])[property] : undefined
}

/** The text the model gave; undefined when the answer is absent or not text. */
export function modelText(call: Call, key: string): string | undefined {
  const content = record(record(call.answers[key])['content'])
  return content['type'] === 'text' && typeof content['text'] === 'string'
    ? content['text']
    : undefined
}

/** Addresses of the client's roots; undefined when the answer is absent or no list of roots. */
export function rootUris(call: Call, key: string): string[] | undefined {
  const { roots } = record(call.answers[key])
  if (!Array.isArray(roots)) return undefined
  const uris = roots.map((root) => record(root)['uri'])
  return uris.every((uri) => typeof uri === 'string') ? uris : undefined
}
