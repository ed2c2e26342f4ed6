/** Faults that users report of tools made of OpenAPI documents: what must come out instead. */
import { type ApiOperation, isObject } from 'ftl-contract'
import { apiTools } from 'ftl-sdk/openapi'
import { describe, expect, it } from 'vitest'
import { schemaProblem } from '../../../gateway/src/catalog/schema-problem.ts'
import { planOf } from './plan.ts'
import type { Fields } from './references.ts'

const SERVERS = { servers: [{ url: 'https://api.example/v1' }] }

const planned = (document: Fields) =>
  planOf({ document: { ...SERVERS, ...document }, source: 'x', component: 'shop', choice: {} })

/** The tool of one operation: `POST /x`. */
function made(operation: Fields, components: Fields = {}, more: Fields = {}): ApiOperation {
  const { plan, skipped } = planned({ paths: { '/x': { post: operation } }, components, ...more })
  const [one] = plan.operations
  if (!one) throw new Error(skipped[0]?.reason ?? 'no operation')
  return one
}

const json = (schema: unknown, more: Fields = {}) => ({
  requestBody: { required: true, content: { 'application/json': { schema } }, ...more },
})

const propertiesOf = ({ inputSchema }: ApiOperation) =>
  inputSchema['properties'] as Record<string, Fields>

describe('schemas', () => {
  const Comment = {
    type: 'object',
    properties: {
      text: { type: 'string' },
      replies: { type: 'array', items: { $ref: '#/components/schemas/Comment' } },
    },
  }

  it('that refer to themselves end, and clients can compile them', () => {
    const { plan } = planned({
      paths: {
        '/x': {
          post: json({
            type: 'object',
            properties: { root: { $ref: '#/components/schemas/Comment' } },
          }),
        },
      },
      components: { schemas: { Comment } },
    })
    const [tool] = apiTools(plan).tools
    expect(tool?.description.inputSchema).toMatchObject({
      properties: { root: { $ref: '#/$defs/Comment' } },
      $defs: { Comment: { properties: { replies: { items: { $ref: '#/$defs/Comment' } } } } },
    })
    expect(schemaProblem(tool?.description.inputSchema ?? {})).toBeUndefined()
  })

  it('of parts that are closed to each other are one object', () => {
    const part = (name: string) => ({
      ...{ type: 'object', additionalProperties: false, required: [name] },
      properties: { [name]: { type: 'string' } },
    })
    const { inputSchema, body } = made(
      json({ allOf: [part('a'), { $ref: '#/components/schemas/B' }] }),
      {
        schemas: { B: part('b') },
      },
    )
    expect(inputSchema).toMatchObject({ properties: { a: {}, b: {} }, required: ['a', 'b'] })
    expect(body?.fields?.map(({ name }) => name)).toEqual(['a', 'b'])
    const within = made(
      json({ type: 'object', properties: { both: { allOf: [part('a'), part('b')] } } }),
    )
    expect(propertiesOf(within)['both']).toEqual({
      type: 'object',
      properties: { a: { type: 'string' }, b: { type: 'string' } },
      required: ['a', 'b'],
    })
  })

  it('with alternatives that overlap take a value that fits two of them', () => {
    const either = { oneOf: [{ type: 'integer' }, { type: 'number' }] }
    const tool = made(json({ type: 'object', properties: { amount: either } }))
    expect(propertiesOf(tool)['amount']).toEqual({
      anyOf: [{ type: 'integer' }, { type: 'number' }],
    })
  })

  it.each([
    ['OpenAPI 3.0', { type: 'string', nullable: true, enum: ['new', 'used'] }],
    ['3.1, upgraded', { type: ['string', 'null'], enum: ['new', 'used'] }],
  ])('of %s that may be null say so in the enum too', (_, state) => {
    const tool = made(json({ type: 'object', properties: { state } }))
    expect(propertiesOf(tool)['state']).toEqual({
      type: ['string', 'null'],
      enum: ['new', 'used', null],
    })
  })

  it('do not ask for what only answers have', () => {
    const properties = { id: { type: 'string', readOnly: true }, name: { type: 'string' } }
    const tool = made(json({ type: 'object', required: ['id', 'name'], properties }))
    expect(Object.keys(propertiesOf(tool))).toEqual(['name'])
    expect(tool.inputSchema['required']).toEqual(['name'])
  })

  it('of a broken reference, pattern or number cost that member alone', () => {
    const properties = {
      lost: { $ref: '#/components/schemas/Lost' },
      broken: { type: 'string', pattern: '(?<=' },
      low: { type: 'integer', minimum: 'zero' },
      fine: { type: 'string', minLength: 1 },
    }
    const { plan, warnings } = planned({
      paths: { '/x': { post: json({ type: 'object', properties }) } },
    })
    const [one] = plan.operations
    expect(one && propertiesOf(one)).toEqual({
      ...{ lost: {}, broken: { type: 'string' }, low: { type: 'integer' } },
      fine: { type: 'string', minLength: 1 },
    })
    expect(warnings.join()).toMatch(/pattern "\(\?<="/)
  })

  it('that are long keep what is nearest to the arguments', () => {
    const schemas: Record<string, Fields> = {}
    const words = (index: number) => `number ${index} ${'long words '.repeat(15)}`
    for (let index = 0; index < 100; index++) {
      const next = { $ref: `#/components/schemas/S${index + 1}` }
      const properties = { value: { type: 'string', description: words(index) }, next }
      schemas[`S${index}`] = { type: 'object', properties }
    }
    schemas['S100'] = { type: 'object', properties: { value: { type: 'string' } } }
    const start = { type: 'object', properties: { first: { $ref: '#/components/schemas/S0' } } }
    const { inputSchema } = made(json(start), { schemas })
    expect(JSON.stringify(inputSchema).length).toBeLessThan(8_500)
    expect(inputSchema['$defs']).toHaveProperty('S0')
    expect(inputSchema['$defs']).not.toHaveProperty('S99')
    expect(schemaProblem(inputSchema)).toBeUndefined()
  })
})

describe('bodies', () => {
  it('of another type than object are one argument, also beside a parameter of that name', () => {
    const list = json({ type: 'array', items: { type: 'string' } })
    const parameters = [{ in: 'query', name: 'body', schema: { type: 'boolean' } }]
    const { body, parameters: planned } = made({ ...list, parameters })
    expect(planned).toMatchObject([{ argument: 'body', name: 'body' }])
    expect(body).toMatchObject({ kind: 'json', argument: 'body_body' })
  })

  it('of any members, or of alternatives, are one argument', () => {
    const open = { type: 'object', properties: { a: {} }, additionalProperties: { type: 'string' } }
    expect(made(json(open)).body).toMatchObject({ argument: 'body' })
    const either = {
      oneOf: [
        { type: 'object', properties: { a: {} } },
        { type: 'object', properties: { b: {} } },
      ],
    }
    expect(made(json(either)).body).toMatchObject({ argument: 'body' })
  })

  it('with a property of the name of a parameter have both', () => {
    const parameters = [{ in: 'query', name: 'id', schema: { type: 'string' } }]
    const { inputSchema, body } = made({
      ...json({ type: 'object', properties: { id: { type: 'integer' } } }),
      parameters,
    })
    expect(inputSchema['properties']).toEqual({
      id: { type: 'string' },
      id_body: { type: 'integer' },
    })
    expect(body?.fields).toEqual([{ argument: 'id_body', name: 'id' }])
  })

  it('of a type that cannot be sent leave the operation out, with the type', () => {
    const { plan, skipped } = planned({
      paths: { '/x': { post: { requestBody: { content: { 'application/xml': {} } } } } },
    })
    expect(plan.operations).toEqual([])
    expect(skipped).toMatchObject([{ reason: 'its body cannot be sent: application/xml' }])
  })

  it('of bytes are base64', () => {
    const { body, inputSchema } = made({
      requestBody: { content: { 'application/octet-stream': {} } },
    })
    expect(body).toMatchObject({ kind: 'binary', argument: 'body' })
    expect(inputSchema['properties']).toMatchObject({
      body: { type: 'string', contentEncoding: 'base64' },
    })
  })
})

describe('parameters', () => {
  it('of the operation replace those of the path', () => {
    const own = { in: 'query', name: 'limit', schema: { type: 'integer', maximum: 10 } }
    const { plan } = planned({
      paths: {
        '/x': {
          parameters: [
            { ...own, schema: { type: 'integer' } },
            { in: 'query', name: 'page', schema: {} },
          ],
          get: { parameters: [own] },
        },
      },
    })
    const [one] = plan.operations
    expect(one?.inputSchema['properties']).toEqual({
      limit: { type: 'integer', maximum: 10 },
      page: {},
    })
    expect(one?.paging).toEqual(['limit', 'page'])
  })

  it('have the default of their style', () => {
    const query = (style?: string) => ({ in: 'query', name: style ?? 'none', style, schema: {} })
    const { parameters } = made({
      parameters: [query(), query('pipeDelimited'), query('deepObject')],
    })
    expect(parameters.map(({ style, explode }) => [style, explode])).toEqual([
      ['form', true],
      ['pipeDelimited', false],
      ['deepObject', false],
    ])
  })

  it('that are credentials or connection headers do not become arguments', () => {
    const header = (name: string) => ({ in: 'header', name, schema: { type: 'string' } })
    const names = ['Authorization', 'Content-Type', 'Host', 'X-Key', 'x-api-key', 'a b', 'X-Fine']
    const tool = made(
      { parameters: names.map(header), security: [{ key: [] }] },
      { securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-KEY' } } },
    )
    expect(Object.keys(propertiesOf(tool))).toEqual(['X-Fine'])
    expect(tool.security).toEqual([['key']])
  })
})

describe('servers', () => {
  const at = (servers: unknown, base?: string) =>
    planOf({
      document: { servers, paths: { '/x': { get: {} } } },
      ...{ source: 'x', component: 'shop', choice: {} },
      ...(base !== undefined && { base }),
    }).plan.server

  it('have the defaults of their variables', () => {
    const variables = { region: { default: 'eu' } }
    expect(at([{ url: 'https://{region}.example/', variables }])).toBe('https://eu.example')
  })

  it('are relative to the address of the document', () => {
    expect(at([{ url: '/v2' }], 'https://api.example/docs/openapi.json')).toBe(
      'https://api.example/v2',
    )
  })

  it('are refused where no request can go', () => {
    for (const url of ['/v2', 'ftp://example', 'https://{lost}.example', 'https://u:p@example']) {
      expect(() => at([{ url }])).toThrow(/names no server with an address/)
    }
  })
})

it('documents that are wrong in every place lose what is wrong', () => {
  const odd = [null, 1, 'x', [], {}, { $ref: '#/paths' }, { $ref: 7 }]
  for (const value of odd) {
    const { plan } = planned({
      info: value,
      components: { securitySchemes: { a: value }, schemas: { A: value } },
      paths: {
        '/ok': { get: { operationId: 'ok' } },
        '/odd': {
          get: value,
          post: {
            parameters: value,
            requestBody: value,
            security: value,
            tags: value,
            servers: value,
          },
        },
        '/body': { post: { requestBody: { content: { 'application/json': value } } } },
        '/schema': { post: json(value) },
        '/part': {
          post: json({
            type: 'object',
            properties: { a: value, b: { allOf: [value], items: value } },
          }),
        },
        '/parameter': {
          get: { parameters: [value, { in: 'query', name: 'q', schema: value, content: value }] },
        },
      },
    })
    expect(plan.operations.map(({ name }) => name)).toContain('ok')
    for (const { description } of apiTools(plan).tools) {
      expect(schemaProblem(description.inputSchema)).toBeUndefined()
    }
    expect(plan.operations.every(({ inputSchema }) => isObject(inputSchema['properties']))).toBe(
      true,
    )
  }
})

it('descriptions are the first sentences, with the request and without HTML', () => {
  const description = `<p>Makes a thing.</p> It <b>is</b> good if a < b. ${'More words follow. '.repeat(100)}`
  const { description: text } = made({ summary: 'Make', description })
  expect(text).toMatch(/^Make\.? ?.*Makes? a thing\. It is good if a < b\. More words/)
  expect(text).toMatch(/\. \(POST \/x\)$/)
  expect(text.length).toBeLessThan(720)
})
