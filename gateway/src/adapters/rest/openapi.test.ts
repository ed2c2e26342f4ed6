import { describe, expect, it } from 'vitest'
import { Validator } from '@seriousme/openapi-schema-validator'
import { createWorld, several, tool } from '../../testing/components.ts'
import { request, send } from '../../testing/rest.ts'
import { schemasOf } from './schema-in-document.ts'

type Document = {
  openapi: string
  paths: Record<string, Record<string, { operationId: string }>>
  components: { schemas: Record<string, object> }
}

const TREE = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  properties: { root: { $ref: '#/$defs/node' }, $ref: { type: 'string' }, self: { $ref: '#' } },
  $defs: {
    node: {
      type: 'object',
      properties: { children: { type: 'array', items: { $ref: '#/$defs/node' } } },
    },
  },
}

// The validator takes a property of this name for a reference.
const { $ref: _, ...properties } = TREE.properties
const PLAIN_TREE = { ...TREE, properties }

async function documentOf(...tools: { name: string; inputSchema: object }[]) {
  const world = createWorld({ components: { all: several(tools as never) } })
  return (await send(world, '/openapi.json')).body as unknown as Document
}

describe('GET /openapi.json', () => {
  it('says which tools can be called without a body', async () => {
    const { paths } = await documentOf(tool('free', { a: {} }), tool('bound', { a: {} }, ['a']))
    const isNeeded = (path: string) =>
      (paths[path]?.['post'] as { requestBody?: object } | undefined)?.requestBody
    expect(isNeeded('/tools/free')).toMatchObject({ required: false })
    expect(isNeeded('/tools/bound')).toMatchObject({ required: true })
  })

  it('is a valid document of OpenAPI 3.1', async () => {
    const document = await documentOf(
      tool('echo', { message: { type: 'string' } }),
      { name: 'files.read', inputSchema: PLAIN_TREE },
      { ...tool('out'), outputSchema: PLAIN_TREE } as never,
      { name: 'foreign', inputSchema: { type: 'object', $ref: 'https://example.com/schema' } },
      {
        name: 'astray',
        inputSchema: { type: 'object', properties: { a: { $ref: '#/$defs/no' } } },
      },
      {
        name: 'draft-07',
        inputSchema: {
          $schema: 'http://json-schema.org/draft-07/schema#',
          type: 'object',
          properties: { pair: { items: [{ type: 'string' }] } },
        },
      },
    )
    expect(document.openapi).toMatch(/^3\.1\.\d$/)
    const judged = await new Validator().validate({ ...document })
    expect(judged.errors).toBeUndefined()
    expect(judged.valid).toBe(true)
  })

  it('names the limits of wait', async () => {
    const { parameters } = (await documentOf(tool('echo'))).components as never as {
      parameters: { Wait: object }
    }
    expect(parameters.Wait).toMatchObject({ schema: { minimum: 0, maximum: 3600 } })
  })

  it('has a path of its own for every tool, and the others', async () => {
    const { paths } = await documentOf(tool('echo'), tool('files.read'))
    expect(Object.keys(paths)).toEqual(
      expect.arrayContaining([
        '/tools/echo',
        '/tools/files.read',
        '/tools',
        '/invoke',
        '/jobs/{id}',
        '/health',
      ]),
    )
  })

  it('gives every operation its own id', async () => {
    const { paths } = await documentOf(tool('get_job'), tool('invoke'), tool('health'))
    const ids = Object.values(paths).flatMap((methods) =>
      Object.values(methods).map(({ operationId }) => operationId),
    )
    expect(new Set(ids).size).toBe(ids.length)
  })

  it('keeps the schema of the arguments', async () => {
    const { name, inputSchema } = tool('echo', { message: { type: 'string' } }, ['message'])
    const { components } = await documentOf({ name, inputSchema })
    expect(components.schemas['echo_input']).toEqual(inputSchema)
  })
})

it('the schema of a tool does not replace a definition of another', async () => {
  const own = { $ref: '#/$defs/x_input' }
  const victim = {
    name: 'a',
    inputSchema: { type: 'object', properties: { own }, $defs: { x_input: { type: 'integer' } } },
  }
  const thief = { name: 'a_input.x', inputSchema: { type: 'object', title: 'forged' } }
  for (const tools of [
    [victim, thief],
    [thief, victim],
  ]) {
    const { paths, components } = await documentOf(...tools)
    const [, key = ''] =
      /"\$ref":"#\/components\/schemas\/(a_[^".]+)"/.exec(JSON.stringify(paths['/tools/a'])) ?? []
    const { properties } = components.schemas[key] as { properties: { own: { $ref: string } } }
    const definition = properties.own.$ref.replace('#/components/schemas/', '')
    expect(components.schemas[definition]).toEqual({ type: 'integer' })
  }
})

describe('a schema inside the document', () => {
  const PLACE = '#/components/schemas/t'

  it('refers to itself where it now is', () => {
    const $ref = `${PLACE}.node`
    expect(schemasOf('t', TREE)).toEqual({
      t: {
        type: 'object',
        properties: { root: { $ref }, $ref: { type: 'string' }, self: { $ref: PLACE } },
      },
      't.node': {
        type: 'object',
        properties: { children: { type: 'array', items: { $ref } } },
      },
    })
  })

  it('refers to places in itself', () => {
    const schema = {
      properties: {
        a: { type: 'string' },
        b: { $ref: '#/properties/a' },
        c: { $ref: '#/definitions/d/items' },
      },
      definitions: { d: { items: {} } },
    }
    expect(schemasOf('t', schema)).toEqual({
      t: {
        properties: {
          a: { type: 'string' },
          b: { $ref: `${PLACE}/properties/a` },
          c: { $ref: `${PLACE}.d/items` },
        },
      },
      't.d': { items: {} },
    })
  })

  it.each(['const', 'default', 'enum', 'examples'])('leaves the data in %s as it is', (word) => {
    const schema = { type: 'object', properties: { a: { [word]: [{ $ref: '#/x', $id: 'y' }] } } }
    expect(schemasOf('t', schema)).toEqual({ t: schema })
  })

  it.each([
    ['another document', { $ref: 'https://example.com/a' }],
    ['nowhere', { $ref: '#/$defs/no' }],
    ['nowhere, badly written', { $ref: '#/%E0' }],
    ['an anchor', { $ref: '#a', $defs: { a: { $anchor: 'a' } } }],
    ['what an object has of its own', { $ref: '#/constructor' }],
    ['no string', { $ref: 5 }],
    ['nothing but itself', { $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/a' } } }],
    ['what has no name for a document', { $ref: '#/$defs/a~1b', $defs: { 'a/b': {} } }],
    ['an address of its own', { properties: { a: { $id: 'https://example.com/b', $ref: '#/b' } } }],
  ])('is left out when it refers to %s', (_, schema) => {
    expect(schemasOf('t', schema)).toBeUndefined()
  })

  it('writes tuples as 2020-12 does', () => {
    const items = [{ type: 'string' }, { type: 'integer' }]
    expect(schemasOf('t', { items, additionalItems: false })).toEqual({
      t: { prefixItems: items, items: false },
    })
  })
})

describe('GET /docs', () => {
  const page = async () => {
    const response = await createWorld().send(request('/docs'))
    return { response, html: await response.text() }
  }

  it('lets nothing run but its own, and asks only the gateway', async () => {
    const { response, html } = await page()
    const policy = response.headers.get('content-security-policy') ?? ''
    const [, nonce] = /script-src 'nonce-([^']+)'/.exec(policy) ?? []
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("connect-src 'self'")
    expect(html.match(/<(script|style)[^>]*>/g)).toEqual([
      `<style nonce="${nonce}">`,
      `<script nonce="${nonce}">`,
    ])
    expect(html).not.toMatch(/https?:\/\/|innerHTML/)
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
  })

  it('has another nonce each time', async () => {
    expect((await page()).html).not.toBe((await page()).html)
  })

  it('is small, and its script can be read', async () => {
    const { html } = await page()
    expect(html.length).toBeLessThan(4096)
    const [, script = ''] = /<script[^>]*>([\s\S]*)<\/script>/.exec(html) ?? []
    // eslint-disable-next-line @typescript-eslint/no-implied-eval -- only compiled
    expect(() => new Function(script)).not.toThrow()
  })
})
