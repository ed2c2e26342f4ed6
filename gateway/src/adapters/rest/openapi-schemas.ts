/** The parts of the OpenAPI document that every tool shares. */

export function ref(path: string): { $ref: string } {
  return { $ref: `#/components/${path}` }
}

/** A body of JSON: of an answer with, of a request without a description. */
export function body(description: string, schema: object): object {
  const content = { 'application/json': { schema } }
  return description === '' ? { content } : { description, content }
}

const text = { type: 'string' }
const object = { type: 'object' }
const array = (items: object) => ({ type: 'array', items })
const fields = (properties: object, required: string[]) => ({
  type: 'object',
  properties,
  required,
})
const named = fields({ name: text, arguments: {} }, ['name'])
const functionCall = fields({ id: text, function: named }, ['function'])

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
        named,
        functionCall,
        array(functionCall),
      ],
    },
    Message: fields({ role: text, tool_call_id: text, content: text }, ['tool_call_id', 'content']),
  },
  parameters: {
    Wait: {
      name: 'wait',
      in: 'query',
      schema: { type: 'number' },
      description: 'Seconds to wait for a job',
    },
    Key: { name: 'Idempotency-Key', in: 'header', schema: text },
  },
  responses: {
    Accepted: body('A job', ref('schemas/Job')),
    Error: body('An error', ref('schemas/Error')),
  },
}
