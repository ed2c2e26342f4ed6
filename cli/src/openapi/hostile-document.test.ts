/** Documents that are made to harm the one who reads them, or the application that gets their tools. */
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { apiTemplate } from './api-files.ts'
import { readDocument } from './document.ts'
import { changeLines } from './listing.ts'
import { argumentNameFor, TakenNames, toolNameFor } from './names.ts'
import { planOf } from './plan.ts'
import type { Fields } from './references.ts'

const HEAD = { openapi: '3.1.0', servers: [{ url: 'https://api.example/v1' }] }

const planned = (document: Fields, base?: string) =>
  planOf({
    document: { ...HEAD, ...document },
    ...{ source: 'x', component: 'shop', choice: {} },
    ...(base !== undefined && { base }),
  })

const posted = (schema: unknown) => ({
  '/x': { post: { requestBody: { content: { 'application/json': { schema } } } } },
})

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })

describe('the work does not grow with', () => {
  it('parts of allOf that have each other many times', () => {
    const schemas: Fields = { S11: { type: 'object', properties: { last: { type: 'string' } } } }
    for (let at = 0; at < 11; at++) {
      schemas[`S${at}`] = { type: 'object', allOf: Array(10).fill(ref(`S${at + 1}`)) }
    }
    const { plan } = planned({ paths: posted(ref('S0')), components: { schemas } })
    expect(plan.operations[0]?.body?.fields?.map(({ name }) => name)).toEqual(['last'])
  })

  it('the length of a chain of references', () => {
    const schemas: Fields = { S5000: { type: 'string' } }
    for (let at = 0; at < 5000; at++) {
      schemas[`S${at}`] = { type: 'object', properties: { next: ref(`S${at + 1}`) } }
    }
    const { plan } = planned({ paths: posted(ref('S0')), components: { schemas } })
    expect(plan.operations[0]?.body?.fields?.map(({ name }) => name)).toEqual(['next'])
  })

  it('operations and arguments that have one name', () => {
    let looks = 0
    class Counted extends TakenNames {
      override has(name: string) {
        looks++
        return super.has(name)
      }
    }
    const [tools, given] = [new Counted(), new Counted()]
    for (let at = 0; at < 1000; at++) {
      toolNameFor({ operationId: 'same', method: 'get', path: '/' }, tools)
      argumentNameFor('same', 'query', given)
    }
    expect([tools.size, given.size]).toEqual([1000, 1000])
    expect(looks).toBeLessThan(20_000)
  })
})

describe('a server', () => {
  const named = (url: string, base?: string) => () =>
    planned({ servers: [{ url }], paths: { '/x': { get: {} } } }, base).plan.server

  it.each([
    'http://mcp-gateway.spin.internal',
    'http://self',
    'http://SELF./',
    'http://169.254.169.254/latest',
    'http://0xA9FEA9FE/',
    'http://[fd00:ec2::254]',
  ])('%s is not taken from a document', (url) => {
    expect(named(url)).toThrow(/is in your network or application/)
  })

  it('with a wildcard is no server', () => {
    for (const url of ['https://*', 'https://*.com']) expect(named(url)).toThrow(/names no server/)
  })

  it('of this machine is not taken from a document of the internet', () => {
    expect(named('http://localhost:8080')()).toBe('http://localhost:8080')
    expect(named('http://10.0.0.1', 'http://127.0.0.1:1/openapi.json')()).toBe('http://10.0.0.1')
    for (const url of [
      'http://localhost:8080',
      'http://127.1',
      'http://[::1]',
      'http://10.0.0.1',
    ]) {
      expect(named(url, 'https://api.example/openapi.json')).toThrow(/is in your network/)
    }
  })

  it('of one operation costs that operation', () => {
    const { plan, skipped } = planned({
      paths: {
        '/a': { get: {} },
        '/b': { get: { servers: [{ url: 'http://other.spin.internal' }] } },
      },
    })
    expect(plan.operations.map(({ path }) => path)).toEqual(['/a'])
    expect(skipped[0]?.reason).toMatch(/its server/)
  })
})

it('text that a terminal interprets or a person does not see is in no line of spin.toml and no description', () => {
  const text = 'a\u001b]0;x\u0007b\u009bc\u202ed\u{e0041}e'
  const { plan } = planned({
    info: { title: text, version: text },
    paths: { '/x': { get: { summary: text, security: [{ key: [] }, { bad: [] }] } } },
    components: {
      securitySchemes: {
        key: { type: 'apiKey', in: 'query', name: text },
        bad: { type: 'apiKey', in: 'header', name: 'x\r\ny: 1' },
      },
    },
  })
  const { variables } = apiTemplate(plan)
  const all = JSON.stringify([variables, plan.title, plan.version, plan.operations[0]?.description])
  expect(all).not.toMatch(/\\u00|\\u20|[\u007f-\u009f\u202e\u{e0041}]/u)
  expect(Object.keys(variables)).toEqual(['shop_key'])
})

it('a change of a shared schema is a change of each tool that refers to it', () => {
  const of = (type: string) =>
    planned({
      paths: { ...posted({ type: 'object', properties: { a: ref('A') } }), '/y': { get: {} } },
      components: { schemas: { A: { type: 'object', properties: { b: { type } } } } },
    }).plan
  expect(changeLines(of('string'), of('string'))).toEqual(['No tool has changed.'])
  expect(changeLines(of('string'), of('integer'))).toEqual(['Changed: post_x'])
})

describe('files', () => {
  let folder: string
  let server: Server
  let url: string
  const answers = new Map<string, string | { location: string }>()

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'ftl-hostile-'))
    server = createServer(({ url: path = '' }, response) => {
      const answer = answers.get(path) ?? ''
      if (typeof answer === 'string') response.end(answer)
      else response.writeHead(302, answer).end()
    })
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  afterEach(async () => {
    answers.clear()
    await new Promise((done) => server.close(done))
    await rm(folder, { recursive: true, force: true })
  })

  const write = async (name: string, text: string) => {
    await writeFile(join(folder, name), text)
    return join(folder, name)
  }

  it('of YAML that repeat a large part, or contain themselves, are refused', async () => {
    const large = Array.from({ length: 300 }, (_, at) => `k${at}: 1`).join(', ')
    const repeated = `openapi: 3.0.0\nx: &x {${large}}\ny:\n${'- *x\n'.repeat(9000)}`
    await expect(readDocument(await write('a.yaml', repeated))).rejects.toThrow(/must not add more/)
    const circular = await write('b.yaml', 'openapi: 3.0.0\nx: &x\n  y: *x\n')
    await expect(readDocument(circular)).rejects.toThrow(/within the part that it repeats/)
    const few = await write('c.yaml', 'openapi: 3.0.0\nx: &x {a: 1}\ny: [*x, *x]\npaths: {}\n')
    expect((await readDocument(few)).document).toMatchObject({ y: [{ a: 1 }, { a: 1 }] })
  })

  it('are not read through a link that leads out of the folder', async () => {
    const outside = await mkdtemp(join(tmpdir(), 'ftl-outside-'))
    await writeFile(join(outside, 'secret.json'), '{}')
    await symlink(join(outside, 'secret.json'), join(folder, 'part.json'))
    const main = { ...HEAD, paths: { '/x': { $ref: './part.json#/a' } } }
    const file = await write('main.json', JSON.stringify(main))
    await expect(readDocument(file)).rejects.toThrow(/part\.json is not in the folder/)
    await rm(outside, { recursive: true, force: true })
  })

  it('are not read from where a part redirects to, and print nothing raw', async () => {
    const printed = vi.spyOn(console, 'warn').mockImplementation(() => {})
    const main = { ...HEAD, paths: { '/x': { $ref: '/part.json#/a' } } }
    answers.set('/main.json', JSON.stringify(main))
    answers.set('/part.json', { location: `http://localhost:${new URL(url).port}/other.json` })
    answers.set('/other.json', '{"a":{}}')
    await expect(readDocument(`${url}/main.json`)).rejects.toThrow(
      /other\.json is not on the server of the document/,
    )
    expect(printed).not.toHaveBeenCalled()
    printed.mockRestore()
  })

  it('that moved are read at their new place, which relative addresses are meant from', async () => {
    answers.set('/old.json', { location: '/new/main.json' })
    answers.set('/new/main.json', JSON.stringify({ ...HEAD, paths: {} }))
    expect((await readDocument(`${url}/old.json`)).base).toBe(`${url}/new/main.json`)
    answers.set('/circle.json', { location: '/circle.json' })
    await expect(readDocument(`${url}/circle.json`)).rejects.toThrow(/redirects without end/)
  })
})
