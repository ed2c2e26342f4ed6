import type { ApiOperation, ApiPlan } from 'ftl-contract'
import { describe, expect, it } from 'vitest'
import { testComponent, textOf } from 'ftl-sdk/testing'
import { apiTools } from './api-tools.ts'
import type { ApiToolsOptions } from './overrides.ts'

const operation = (more: Partial<ApiOperation> = {}): ApiOperation => ({
  ...{ name: 'list', description: 'Lists', method: 'GET', path: '/list' },
  ...{ annotations: { readOnlyHint: true }, security: [], paging: ['page'] },
  inputSchema: {
    type: 'object',
    properties: { page: { type: 'integer' }, owner: { type: 'string' } },
    required: ['owner'],
    additionalProperties: false,
  },
  parameters: ['page', 'owner'].map((name) => ({
    ...{ argument: name, name, in: 'query', style: 'form', explode: true },
  })),
  ...more,
})

const plan = (...operations: ApiOperation[]): ApiPlan => ({
  ...{ format: 1, title: 'Shop', version: '1', source: 'x', choice: {} },
  ...{ server: 'https://api.example', credentials: {}, operations, schemas: {} },
})

type Fetched = (request: Request) => Response | object | Promise<object>

const serving = (answer: Fetched, options?: ApiToolsOptions, ...operations: ApiOperation[]) =>
  testComponent(
    { tools: apiTools(plan(...(operations.length > 0 ? operations : [operation()])), options) },
    { fetch: { 'https://api.example/*': answer } },
  )

describe('changes by the author', () => {
  const tools = {
    list: { name: 'find', description: 'Finds', defaults: { page: 1 }, fixed: { owner: 'acme' } },
  }

  it('give a tool another name, default values, and values that callers cannot change', async () => {
    const [tool] = apiTools(plan(operation()), { tools }).tools
    expect(tool?.description).toMatchObject({ name: 'find', description: 'Finds' })
    expect(tool?.description.inputSchema).toEqual({
      type: 'object',
      properties: { page: { type: 'integer', default: 1 } },
      additionalProperties: false,
    })
    const component = serving(({ url }) => ({ url }), { tools })
    const { structuredContent } = await component.call('find', {})
    expect(structuredContent).toEqual({ url: 'https://api.example/list?page=1&owner=acme' })
    const refused = await component.call('find', { owner: 'other' })
    expect(textOf(refused)).toMatch(/owner: is not allowed/)
  })

  it('leave a tool out', () => {
    const two = plan(operation(), operation({ name: 'other' }))
    const set = apiTools(two, { tools: { list: { hidden: true } } })
    expect(set.tools.map(({ description }) => description.name)).toEqual(['other'])
  })

  it('of what does not exist are refused while the component is built', () => {
    const change = (changes: ApiToolsOptions['tools']) => () =>
      apiTools(plan(operation()), { tools: changes ?? {} })
    expect(change({ lits: {} })).toThrow(/"tools" changes "lits", which api\.json does not have/)
    expect(change({ list: { fixed: { ownr: 1 } } })).toThrow(
      /gives a value for "ownr"; the arguments are: page, owner/,
    )
  })
})

it('a file of another version is refused with the command that writes it again', () => {
  expect(() => apiTools({ format: 2 })).toThrow(/ftl add openapi --update/)
})

describe('results', () => {
  const call = (answer: Fetched, options?: ApiToolsOptions) =>
    serving(answer, options).call('list', { owner: 'a' })
  const response = (body: string, type: string) => () =>
    new Response(body, { headers: { 'content-type': type } })

  it('that are lists are an object for clients of older revisions, and their text is the list', async () => {
    const result = await call(response('[1,2]', 'application/json'))
    expect(result.structuredContent).toEqual({ items: [1, 2] })
    expect(textOf(result)).toBe('[1,2]')
  })

  it('with a type of JSON that are none stay text', async () => {
    const result = await call(response('<html>', 'application/vnd.x+json; charset=utf-8'))
    expect(result.structuredContent).toBeUndefined()
    expect(textOf(result)).toBe('<html>')
  })

  it('without a list are cut as text, with advice', async () => {
    const long = JSON.stringify({ text: 'x'.repeat(500) })
    const result = await call(response(long, 'application/json'), { maxCharacters: 100 })
    expect(result.structuredContent).toBeUndefined()
    expect(textOf(result)).toMatch(
      /has 511 characters, of which the first 100 are shown\. Get the others with the argument page\./,
    )
  })

  it('longer than what is read are cut', async () => {
    const body = `[${'"x",'.repeat(2_000_000)}1]`
    const text = textOf(await call(response(body, 'application/json'), { maxCharacters: 50 }))
    expect(text.slice(0, 12)).toBe('["x","x","x"')
    expect(text.length).toBeLessThan(300)
  })
})

describe('redirects', () => {
  const post = operation({
    name: 'make',
    method: 'POST',
    parameters: [],
    inputSchema: { type: 'object' },
  })
  const redirecting = (status: number) => (request: Request) =>
    request.url.endsWith('/list')
      ? new Response(null, { status, headers: { location: '/next' } })
      : { method: request.method }

  it('repeat the method where the status says so', async () => {
    const made = await serving(redirecting(307), {}, post).call('make', {})
    expect(made.structuredContent).toEqual({ method: 'POST' })
    const seen = await serving(redirecting(303), {}, post).call('make', {})
    expect(seen.structuredContent).toEqual({ method: 'GET' })
  })

  it('that would lose the body are an error', async () => {
    const failed = await serving(redirecting(302), {}, post).call('make', {})
    expect(failed.isError).toBe(true)
    expect(textOf(failed)).toMatch(/HTTP 302: the API redirects to https:\/\/api\.example\/next/)
  })
})

describe('responses', () => {
  const KEY = 'sec/ret+key"0123'
  const echo = (body: string | Uint8Array<ArrayBuffer>, init: ResponseInit = {}) => {
    const one = plan(operation({ name: 'get', security: [['key']], parameters: [] }))
    one.credentials = { key: { in: 'header', name: 'x-key', variable: 'key' } }
    const answer = () =>
      new Response(body, {
        ...init,
        headers: { 'content-type': 'application/json', ...init.headers },
      })
    return testComponent(
      { tools: apiTools(one) },
      { fetch: { 'https://api.example/*': answer }, variables: { key: KEY } },
    ).call('get', { owner: 'x' })
  }

  it.each([
    ['PHP', JSON.stringify({ key: KEY }).replaceAll('/', String.raw`\/`)],
    ['Go', JSON.stringify({ key: KEY }).replace('+', String.raw`\u002b`)],
    ['pages of errors', `<p>sec/ret&#43;key&#34;0123</p>`],
    ['other pages of errors', `<p>sec/ret+key&quot;0123</p>`],
  ])('have no secret as %s writes it', async (_, body) => {
    for (const status of [200, 400]) {
      const result = JSON.stringify(await echo(body, { status }))
      expect(result).toContain('[redacted]')
      expect(result).not.toMatch(/ret.{0,9}key/)
    }
  })

  it('keep all digits of long integers', async () => {
    const { structuredContent } = await echo('{"id":9223372036854775807}')
    expect(structuredContent).toEqual({ id: '9223372036854775807' })
  })

  it('that are compressed are an error that says so', async () => {
    const result = await echo(new Uint8Array([31, 139, 8]), {
      headers: { 'content-encoding': 'gzip' },
    })
    expect(result.isError).toBe(true)
    expect(textOf(result)).toMatch(/the body is compressed with gzip/)
  })
})

it('a redirect within the server loses its user name, and one in circles ends', async () => {
  const urls: string[] = []
  const redirect = (location: string) => new Response(null, { status: 302, headers: { location } })
  const component = serving(({ url }) => {
    urls.push(url)
    if (url.includes('owner=user')) return redirect('https://a:b@api.example/list?owner=circle')
    return redirect(url)
  })
  const result = await component.call('list', { owner: 'user' })
  expect(urls[1]).toBe('https://api.example/list?owner=circle')
  expect(urls.length).toBe(6)
  expect(result.isError).toBe(true)
  expect(textOf(result)).toMatch(/it redirects too often/)
})

it('null is no text in a form', async () => {
  const properties = { a: {}, list: {} }
  const component = serving(
    async (request) => ({ body: await request.text() }),
    {},
    operation({
      ...{
        name: 'send',
        method: 'POST',
        parameters: [],
        inputSchema: { type: 'object', properties },
      },
      body: {
        ...{ kind: 'form', mediaType: 'application/x-www-form-urlencoded' },
        fields: Object.keys(properties).map((name) => ({ argument: name, name })),
      },
    }),
  )
  const { structuredContent } = await component.call('send', { a: null, list: [1, null] })
  expect(structuredContent).toEqual({ body: 'list=1' })
})
