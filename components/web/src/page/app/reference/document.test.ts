import { describe, expect, it } from 'vitest'
import { readDocument, resolve } from './document.ts'

const schema = { type: 'object', properties: { message: { type: 'string' } } }
const document = {
  paths: {
    '/tools/echo': {
      post: {
        operationId: 'call_echo',
        tags: ['echo'],
        summary: 'Echo',
        parameters: [{ $ref: '#/components/parameters/Key' }, { name: 'x', in: 'cookie' }, null],
        requestBody: {
          content: { 'application/json': { schema: { $ref: '#/components/schemas/E' } } },
        },
        responses: {
          200: { description: 'The result', content: { 'application/json': { schema } } },
          default: { $ref: '#/components/responses/Error' },
        },
      },
    },
    '/health': { get: { summary: 'Check' } },
  },
  components: {
    schemas: { E: schema },
    parameters: { Key: { name: 'Idempotency-Key', in: 'header', schema: { type: 'string' } } },
    responses: { Error: { description: 'An error' } },
  },
}

describe('the operations of a document', () => {
  it('have their parameters, body and answers, with what they refer to', () => {
    const [echo, health] = readDocument(document)
    expect(echo).toMatchObject({
      id: 'call_echo',
      method: 'POST',
      group: 'echo',
      body: schema,
      answers: [
        { status: '200', about: 'The result', schema },
        { status: 'default', about: 'An error', schema: undefined },
      ],
    })
    expect(echo?.parameters.map(({ name }) => name)).toEqual(['Idempotency-Key'])
    expect(health).toMatchObject({ id: 'get /health', title: 'Check', body: undefined, group: '' })
  })

  it.each([undefined, null, 5, [], {}, { paths: 5 }, { paths: { '/x': null } }, { paths: [[]] }])(
    'are none in %j',
    (value) => {
      expect(readDocument(value)).toEqual([])
    },
  )

  it('end where a schema contains itself', () => {
    const circle = {
      components: {
        schemas: {
          Node: {
            type: 'object',
            properties: { next: { $ref: '#/components/schemas/Node' } },
            anyOf: [{ $ref: '#/components/schemas/Node' }],
          },
        },
      },
    }
    const found = resolve(circle, { $ref: '#/components/schemas/Node' })
    expect(JSON.stringify(found).length).toBeLessThan(20_000)
    expect(found).toMatchObject({ properties: { next: { type: 'object' } } })
  })

  it.each(['#/constructor/prototype', '#/__proto__', 'https://evil.example/x', '#/%E0%A4%A', '#/'])(
    'refer to nothing by %s',
    ($ref) => {
      expect(resolve(document, { $ref })).toEqual({})
    },
  )
})
