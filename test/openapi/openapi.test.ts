// `ftl add openapi`: tools of a document, built and called through the gateway on the embedded host or on the Spin that
// FTL_TEST_SPIN names, against a real server.
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ftl } from '../support/command.ts'
import { MANIFESTS } from '../support/manifests.ts'
import { serveManifest, type ServedManifest } from '../support/serve-manifest.ts'
import { KEY, type Shop, startShop } from './shop-server.ts'

const repository = dirname(MANIFESTS.application)
const document = join(import.meta.dirname, 'shop.yaml')

const MANIFEST = `spin_manifest_version = 2
[application]
name = "shop"
version = "0.1.0"

[variables]
tool_components = { default = "" }

[[trigger.http]]
route = "/..."
component = "mcp-gateway"
[component.mcp-gateway]
source = ${JSON.stringify(join(repository, 'dist/test/code/mcp-gateway.wasm'))}
allowed_outbound_hosts = ["http://*.spin.internal"]
key_value_stores = ["default"]
[component.mcp-gateway.variables]
tool_components = "{{ tool_components }}"
`

const PASSWORD = 'password-0123456789'

let folder: string
let shop: Shop
const hosts: ServedManifest[] = []

beforeAll(async () => {
  shop = await startShop()
  folder = await mkdtemp(join(tmpdir(), 'ftl-openapi-'))
  await symlink(join(repository, 'node_modules'), join(folder, 'node_modules'))
  await writeFile(join(folder, 'spin.toml'), MANIFEST)
  await writeFile(join(folder, 'shop.yaml'), await readFile(document))
})
afterAll(async () => {
  for (const host of hosts) await host.close()
  await shop.close()
  await rm(folder, { recursive: true, force: true })
})

async function add(...args: string[]) {
  const running = ftl(['add', 'openapi', ...args], { cwd: folder })
  const code = await running.exited
  return { code, output: running.output() }
}

async function serve(variables: Record<string, string>): Promise<string> {
  const host = await serveManifest({
    manifest: join(folder, 'spin.toml'),
    stateDir: join(folder, `state-${hosts.length}`),
    variables,
  })
  hosts.push(host)
  return host.url
}

interface Result {
  content: { type: string; text: string; mimeType?: string }[]
  structuredContent?: Record<string, unknown>
  isError?: boolean
}

function client(url: string) {
  const request = async (method: string, params: object) => {
    const response = await fetch(`${url}/mcp?tools=all`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    })
    return (await response.json()) as { result?: unknown; error?: unknown }
  }
  const call = async (name: string, args: object = {}) => {
    const { result, error } = await request('tools/call', { name, arguments: args })
    const { content = [], ...rest } = (result ?? {}) as Result
    const text = content.map((each) => each.text).join('\n') || JSON.stringify(error)
    return { ...rest, content, text }
  }
  return { request, call }
}

const last = () => {
  const one = shop.received.at(-1)
  if (!one) throw new Error('the server received nothing')
  return one
}

describe('the list of what would be made', () => {
  it('names tools and what is left out with its reason, and writes nothing', async () => {
    const { code, output } = await add('shop.yaml', '--server', `${shop.url}/v1`, '--list')
    expect(code, output).toBe(0)
    expect(output).toMatch(/list_items +GET +\/items\n/)
    expect(output).toMatch(/Left out: GET \/signed: .*signed/)
    expect(output).toMatch(/Left out: POST \/feed: .*application\/xml/)
    expect(output).toMatch(/Left out: GET \/old: it is deprecated/)
    expect(output).toMatch(/Left out: GET \/lost\/\{what\}: its path has \{what\}/)
    expect(output).toMatch(/Variable shop_key:/)
    expect(await readFile(join(folder, 'spin.toml'), 'utf8')).toBe(MANIFEST)
  })

  it('has what is chosen by tag, pattern and method', async () => {
    const server = ['--server', shop.url, '--list', '--json']
    const names = async (...args: string[]) => {
      const { output } = await add('shop.yaml', ...server, ...args)
      const { operations } = JSON.parse(output) as { operations: { name: string }[] }
      return operations.map(({ name }) => name)
    }
    expect(await names('--tag', 'items', '--read-only')).toEqual(['list_items', 'get_item'])
    expect(
      await names('--include', '/items*', '--exclude', 'PUT *', '--exclude', '*icture'),
    ).toEqual(['list_items', 'create_item', 'get_item', 'delete_item'])
    expect(await names('--operation', 'old')).toEqual(['old'])
  })

  it('is refused without a server, and for what is no document', async () => {
    const without = await add('shop.yaml', '--list')
    expect(without.code).toBe(1)
    expect(without.output).toMatch(/names no server with an address: give one with --server/)
    await writeFile(join(folder, 'other.json'), '{"openapi":"4.0.0"}')
    expect((await add('other.json', '--list')).output).toMatch(/must have "openapi" 3\.0 or 3\.1/)
    await writeFile(join(folder, 'broken.json'), '{"openapi":')
    expect((await add('broken.json', '--list')).output).toMatch(/broken\.json: is not JSON/)
    expect((await add('gone.yaml', '--list')).output).toMatch(/gone\.yaml cannot be read: ENOENT/)
  })
})

describe('a document of a stranger', () => {
  it('gets no variable of the application, and no name with a meaning', async () => {
    await writeFile(
      join(folder, 'spin.toml'),
      MANIFEST.replace('[variables]\n', '[variables]\nshop_key = { default = "of another" }\n'),
    )
    const { code, output } = await add('shop.yaml', '--server', shop.url)
    expect(output).toMatch(/has a variable "shop_key" already/)
    expect(code).toBe(1)
    await writeFile(join(folder, 'spin.toml'), MANIFEST)
    const named = await add('shop.yaml', '--server', shop.url, '--name', 'code')
    expect(named.output).toMatch(/"code" cannot be the name/)
  })

  it('reads no file outside of its folder', async () => {
    const text = await readFile(document, 'utf8')
    const inner = join(folder, 'inner')
    await mkdir(inner, { recursive: true })
    await writeFile(join(inner, 'parts.yaml'), 'Category: { type: string, maxLength: 7 }\n')
    const replaced = (ref: string) =>
      text.replace(
        "category: { $ref: '#/components/schemas/Category' }",
        `category: { $ref: '${ref}' }`,
      )
    await writeFile(join(inner, 'in.yaml'), replaced('./parts.yaml#/Category'))
    await writeFile(join(inner, 'out.yaml'), replaced('../spin.toml#/x'))
    const read = await add('inner/in.yaml', '--server', shop.url, '--list', '--json')
    expect(read.output).toMatch(/"maxLength": 7/)
    const refused = await add('inner/out.yaml', '--server', shop.url, '--list')
    expect(refused.output).toMatch(/spin\.toml is not in the folder of the document/)
    expect(refused.code).toBe(1)
  })
})

describe('the tools', () => {
  let call: ReturnType<typeof client>['call']
  let request: ReturnType<typeof client>['request']

  beforeAll(async () => {
    const added = await add('shop.yaml', '--server', `${shop.url}/v1`)
    expect(added.code, added.output).toBe(0)
    const building = ftl(['build'], { cwd: folder })
    expect(await building.exited, building.output()).toBe(0)
    const url = await serve({
      shop_key: KEY,
      shop_in_query: KEY,
      shop_login_username: 'ada',
      shop_login_password: PASSWORD,
    })
    ;({ call, request } = client(url))
  }, 240_000)

  it('reach the server alone, and take credentials from variables', async () => {
    const manifest = await readFile(join(folder, 'spin.toml'), 'utf8')
    expect(manifest).toContain(`allowed_outbound_hosts = ["${shop.url}"]`)
    expect(manifest).toMatch(/shop_key = \{ default = "", secret = true/)
    await call('get_item', { id: '5' })
    expect(last().headers['x-shop-key']).toBe(KEY)
    await call('order', { items: ['a', 'b c'], address: { city: 'Rome' } })
    const basic = Buffer.from(`ada:${PASSWORD}`).toString('base64')
    expect(last().headers.authorization).toBe(`Basic ${basic}`)
    expect(last().body).toBe('items=a&items=b%20c&address%5Bcity%5D=Rome')
    await call('by_query')
    expect(last().url).toBe(`/v1/by-query?token=${KEY}`)
  })

  it('have schemas without credentials, with hints by method', async () => {
    const { result } = await request('tools/list', {})
    const { tools } = result as {
      tools: { name: string; inputSchema: { properties: object }; annotations: object }[]
    }
    const named = new Map(tools.map((each) => [each.name, each]))
    expect(named.get('by_query')?.inputSchema.properties).toEqual({})
    expect(named.get('list_items')?.annotations).toMatchObject({ readOnlyHint: true })
    expect(named.get('delete_item')?.annotations).toMatchObject({ destructiveHint: true })
    expect(named.get('replace_item')?.annotations).toMatchObject({ idempotentHint: true })
    expect(named.get('replace_item')?.inputSchema).toMatchObject({
      properties: { id: {}, id_body: {}, name: {} },
      required: ['id', 'id_body'],
    })
    expect(named.get('create_item')?.inputSchema).toMatchObject({ required: ['name', 'price'] })
    expect(named.get('create_item')?.inputSchema.properties).not.toHaveProperty('id')
  })

  it('send arguments where the document says', async () => {
    const query = { page: 1, tags: ['a', 'b&c'], filter: { state: 'new' }, 'X-Trace': 't1' }
    await call('list_items', query)
    expect(last().url).toBe('/v1/items?page=1&tags%5B%5D=a,b%26c&filter%5Bstate%5D=new')
    expect(last().headers['x-trace']).toBe('t1')
    await call('replace_item', { id: '1', id_body: '2', name: 'n' })
    expect(last()).toMatchObject({
      method: 'PUT',
      url: '/v1/items/1',
      body: '{"id":"2","name":"n"}',
    })
    const parts = { name: 'a', parts: [{ name: 'b', parts: [{ name: 'c' }] }] }
    const made = { name: 'Lamp', price: 1.5, state: null, category: parts }
    expect((await call('create_item', made)).isError).toBeUndefined()
    expect(JSON.parse(last().body)).toEqual(made)
  })

  it('keep arguments in their place', async () => {
    await call('get_item', { id: 'a/b?x=1#y/z' })
    expect(last().url).toBe('/v1/items/a%2Fb%3Fx%3D1%23y%2Fz')
    const before = shop.received.length
    expect((await call('get_item', { id: '..' })).text).toMatch(/id: must not be "\." or "\.\."/)
    expect((await call('get_item', { id: 'a/../../admin' })).text).toMatch(/nor have them between/)
    expect((await call('delete_item', { id: '' })).text).toMatch(/id: must not be empty/)
    const split = { 'X-Trace': 'a\r\nx-shop-key: other' }
    expect((await call('list_items', split)).text).toMatch(/X-Trace: must have no line breaks/)
    expect(shop.received.length).toBe(before)
  })

  it('upload files from base64', async () => {
    const file = Buffer.from('hello').toString('base64')
    await call('upload_picture', { id: '1', title: 'Hi', file })
    expect(last().headers['content-type']).toMatch(/^multipart\/form-data; boundary=/)
    expect(last().body).toMatch(/name="title"\r\n\r\nHi\r\n/)
    expect(last().body).toMatch(/name="file"; filename="file"\r\n[^]*\r\n\r\nhello\r\n/)
    expect((await call('upload_picture', { id: '1', file: '%%' })).text).toMatch(
      /file: must be base64/,
    )
  })

  it('cut a long list, and say how to get the rest', async () => {
    const { structuredContent, text, isError } = await call('list_items')
    expect(isError).toBeUndefined()
    const data = structuredContent?.['data'] as unknown[]
    expect(data.length).toBeGreaterThan(20)
    expect(data.length).toBeLessThan(100)
    expect(structuredContent?.['total']).toBe(100)
    expect(text).toContain(`Only the first ${data.length} of 100 items of "data" are shown`)
    expect(text).toContain('Get the others with the argument page.')
    expect(text).toContain('Next page: page=2.')
    expect(text).not.toContain('secret')
    const list = await call('get_item', { id: 'big' })
    expect(list.structuredContent).toEqual({ items: ['y'.repeat(20_000)] })
    const huge = await call('get_item', { id: 'huge' })
    expect(huge.structuredContent).toBeUndefined()
    expect(huge.text.length).toBeLessThan(41_000)
  })

  it('return pictures, and describe other bytes', async () => {
    const { content } = await call('get_picture', { id: '1' })
    expect(content).toMatchObject([{ type: 'image', mimeType: 'image/png' }])
    expect(last().headers['x-shop-key']).toBeUndefined()
    expect((await call('manual')).text).toMatch(/8 bytes of application\/pdf/)
    expect((await call('delete_item', { id: '1' })).text).toMatch(/HTTP 204/)
  })

  it('report errors of the API, without the secret that it echoes', async () => {
    const missing = await call('get_item', { id: 'none' })
    expect(missing).toMatchObject({ isError: true })
    expect(missing.text).toMatch(/HTTP 404 \(GET \/items\/\{id\}\)\n.*there is no such item/)
    const { text } = await call('echo_secret')
    expect(text).toMatch(/no good: \[redacted\]/)
    expect(text).not.toContain(KEY)
    expect(text.length).toBeLessThan(2500)
  })

  it('follow redirects within the server, and take credentials to no other', async () => {
    expect((await call('moved')).text).toContain('"url":"/v1/items/7"')
    const { text } = await call('elsewhere')
    expect(text).toMatch(/redirects to http:\/\/localhost:1\/file\?key=\[redacted\]/)
  })

  it('name the variables to set when the API wants credentials', async () => {
    const other = client(await serve({}))
    const { text, isError } = await other.call('get_item', { id: '9' })
    expect(isError).toBe(true)
    expect(text).toMatch(/HTTP 401 [^]*The operator of the gateway sets them: shop_key\./)
    expect(last().headers['x-shop-key']).toBeUndefined()
  })
})

describe('an update', () => {
  it('reads the document again, says what changed, and keeps the file of the author', async () => {
    const main = join(folder, 'tools/shop/src/main.ts')
    await writeFile(main, `// mine\n${await readFile(main, 'utf8')}`)
    const text = await readFile(document, 'utf8')
    await writeFile(
      join(folder, 'shop.yaml'),
      text.replaceAll('/manual:', '/guide:').replace('operationId: manual', 'operationId: guide'),
    )
    const { code, output } = await add('--update', 'shop')
    expect(code, output).toBe(0)
    expect(output).toMatch(/New: guide\n/)
    expect(output).toMatch(/Removed: manual\n/)
    expect(await readFile(main, 'utf8')).toMatch(/^\/\/ mine\n/)
    expect(await readFile(join(folder, 'tools/shop/src/api.json'), 'utf8')).toContain('"guide"')
    expect((await add('--update', 'nothing')).output).toMatch(/no component "nothing"/)
  })

  it('says what spin.toml lacks until it is there, and takes no variable of another component', async () => {
    const manifest = join(folder, 'spin.toml')
    const text = await readFile(document, 'utf8')
    const api = join(folder, 'shop.yaml')
    const schemes = (more: string) => text.replace('    login:', `${more}\n    login:`)
    const added = `    extra: { type: http, scheme: bearer }`
    const used = schemes(added).replace('security: [{ key: [] }]', 'security: [{ extra: [] }]')
    await writeFile(api, used)
    for (const time of ['first', 'second']) {
      const { output } = await add('--update', 'shop')
      expect(output, time).toContain('shop_extra = "{{ shop_extra }}"')
    }
    const server = await add('--update', 'shop', '--server', 'https://other.example')
    expect(server.output).toMatch(/Server: .*\/v1 is now https:\/\/other\.example/)
    expect(server.output).toContain('allowed_outbound_hosts = ["https://other.example"]')
    const before = await readFile(manifest, 'utf8')
    await writeFile(
      manifest,
      `${before}
[component.other]
source = "other.wasm"
[component.other.variables]
shop_extra = "of another"
`,
    )
    const taken = await add('--update', 'shop')
    expect(taken.code).toBe(1)
    expect(taken.output).toMatch(/"shop_extra", which is of the component "other"/)
    await writeFile(manifest, before)
  })
})
