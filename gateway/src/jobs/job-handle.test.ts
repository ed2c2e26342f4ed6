import { AjvJsonSchemaValidator as AjvOfV2 } from '@modelcontextprotocol/client/validators/ajv'
import { CfWorkerJsonSchemaValidator } from '@modelcontextprotocol/client/validators/cf-worker'
import { AjvJsonSchemaValidator as AjvOfV1 } from '@modelcontextprotocol/sdk/validation/ajv'
import { describe, expect, it } from 'vitest'
import { jobHandle, withHandle } from './job-handle.ts'

const JOB = {
  id: '0d8bd5be-cb28-4a0a-b5a3-44a9c05f0a32',
  component: 'one',
  tool: 'render',
  seq: 1,
  status: 'working' as const,
  createdAt: '2026-11-22T00:00:00Z',
  updatedAt: '2026-11-22T00:00:00Z',
  expiresAt: '2026-11-23T00:00:00Z',
  pollIntervalMs: 1000,
  progress: { value: 3, total: 25 },
}
const SIZE = { type: 'integer', minimum: 1 }
const PLAIN = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  properties: { width: SIZE },
  required: ['width'],
  additionalProperties: false,
}

describe.each([
  ['plain', PLAIN],
  [
    'with $defs',
    { ...PLAIN, $defs: { size: SIZE }, properties: { width: { $ref: '#/$defs/size' } } },
  ],
  [
    'that refers to a part of itself',
    { ...PLAIN, properties: { width: SIZE, height: { $ref: '#/properties/width' } } },
  ],
  ['that contains itself', { ...PLAIN, properties: { width: SIZE, part: { $ref: '#' } } }],
  [
    'with an id',
    {
      ...PLAIN,
      $id: 'https://tools.example/size',
      properties: { width: SIZE, part: { $ref: '#' } },
    },
  ],
])('the outputSchema of a tool that starts jobs: %s', (_, schema) => {
  const published = withHandle(schema, 'render é')

  it.each([
    ['Ajv in SDK v1', new AjvOfV1()],
    ['Ajv in SDK v2', new AjvOfV2()],
    ['cfworker', new CfWorkerJsonSchemaValidator()],
  ])(
    'admits the result and the handle, and nothing else, for official clients with %s',
    (_, validator) => {
      // A client compiles the schema again when it lists the tools again.
      validator.getValidator(structuredClone(published))
      const check = validator.getValidator(structuredClone(published))
      const fits = (value: unknown) => check(value).valid
      expect(fits({ width: 3 })).toBe(true)
      expect(fits(jobHandle(JOB, 'http://localhost:3000').structuredContent)).toBe(true)
      expect(fits({ width: 0 })).toBe(false)
      expect(fits({})).toBe(false)
    },
  )

  it('has the type that clients of earlier revisions require', () => {
    expect(published.type).toBe('object')
    expect(published.$schema).toBe(PLAIN.$schema)
  })
})

it.each([
  ['Rendering (3 s)', 'Rendering (3 s). This is job '],
  ['Almost done…', 'Almost done… This is job '],
  [undefined, 'The tool is still working. This is job '],
])('the text of a handle has whole sentences: %j', (message, start) => {
  const [content] = jobHandle({ ...JOB, message }, 'http://localhost:3000').content
  const text = content?.type === 'text' ? content.text : ''
  expect(text.slice(0, start.length)).toBe(start)
})

it('the handle of a cancelled job does not promise a result', () => {
  const job = { ...JOB, status: 'cancelled' as const, message: 'Cancelled' }
  const [content] = jobHandle(job, 'http://localhost:3000').content
  expect(content).toMatchObject({ text: `Cancelled. This is job ${JOB.id}` })
})

it('a result that need not be an object stays one', () => {
  expect(withHandle({ type: 'array' }, 'list')).not.toHaveProperty('type')
})

it('the stream of a job that runs is for programs, not for models', () => {
  const stream = 'ws://localhost:8001/ws/stream/1?link=capability'
  const handle = jobHandle(JOB, 'http://localhost:3000', stream)
  expect(handle._meta).toEqual({ 'ftl/ws_url': stream })
  expect(JSON.stringify([handle.content, handle.structuredContent])).not.toContain('capability')
  expect(jobHandle({ ...JOB, status: 'cancelled' }, 'http://localhost:3000', stream)._meta).toBe(
    undefined,
  )
})
