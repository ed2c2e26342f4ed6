/** The parts of the OpenAPI document that every tool shares. */

/** Seconds that `?wait=` may name: far more than any gateway waits, which is `wait_limit_ms`. */
export const MAX_WAIT_SECONDS = 3600

export function ref(path: string): { $ref: string } {
  return { $ref: `#/components/${path}` }
}

/** A body of JSON: of an answer with, of a request without a description. */
export function body(description: string, schema: object): object {
  const content = { 'application/json': { schema } }
  return description === '' ? { content } : { description, content }
}

export const text = { type: 'string' }
export const object = { type: 'object' }
const array = (items: object) => ({ type: 'array', items })
const fields = (properties: object, required: string[]) => ({
  type: 'object',
  properties,
  required,
})
const called = fields({ name: text, arguments: { type: ['object', 'string'] } }, ['name'])

export const SCHEMAS = {
  schemas: {
    Result: fields(
      {
        content: array(fields({ type: text }, ['type'])),
        isError: { type: 'boolean' },
        resultUrl: text,
      },
      ['content'],
    ),
    Job: fields(
      { id: text, status: text, message: text, error: object, result: ref('schemas/Result') },
      ['id', 'status'],
    ),
    Error: fields(
      {
        error: fields({ code: text, message: text, field: text, tool: text }, ['code', 'message']),
      },
      ['error'],
    ),
    Call: {
      anyOf: [
        fields({ tool: text, params: object }, ['tool']),
        fields({ name: text, arguments: object }, ['name']),
        fields({ id: text, function: called }, ['function']),
        // Each call of a list is judged on its own: without a function it is an error in its own message.
        array(fields({ id: text, function: {} }, ['id'])),
      ],
    },
    Message: fields({ role: text, tool_call_id: text, content: text }, ['tool_call_id', 'content']),
  },
  parameters: {
    Wait: {
      name: 'wait',
      in: 'query',
      schema: { type: 'number', minimum: 0, maximum: MAX_WAIT_SECONDS },
      description: 'Seconds to wait for a job',
    },
    Key: { name: 'Idempotency-Key', in: 'header', schema: text },
  },
  responses: {
    Accepted: body('A job', ref('schemas/Job')),
    Error: body('An error', ref('schemas/Error')),
  },
}
