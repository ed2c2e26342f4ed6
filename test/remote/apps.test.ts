// Pages of MCP Apps of two servers that have them under the same addresses: what the official clients get of the tools, the list and
// the pages, with all that a host needs to show a page as its server wants it.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connectV1, connectV2 } from '../contract/clients/sdk-clients.ts'
import { CANNOT_RUN, type RemoteApplication, startRemote } from './application.ts'
import { type SmallServer, startSmall } from './small-server.ts'

const PAGE = 'text/html;profile=mcp-app'
const CART = 'ui://shop/cart.html'
/** Not in the server's list of resources, as servers may do. */
const HIDDEN = 'ui://shop/hidden.html'

/** All that the extension has for a page. */
const UI = {
  csp: {
    connectDomains: ['https://api.shop.example', 'wss://live.shop.example'],
    resourceDomains: ['https://cdn.shop.example'],
    frameDomains: ['https://player.shop.example'],
    baseUriDomains: ['https://shop.example'],
  },
  permissions: { camera: {}, microphone: {}, geolocation: {}, clipboardWrite: {} },
  domain: 'shop.example',
  prefersBorder: true,
}

const html = (of: string) => `<!doctype html><title>${of}</title>`
const tool = (name: string, _meta: object) => ({ name, inputSchema: { type: 'object' }, _meta })

/** `other` differs in its tools' names and in what its pages say. */
const startShop = (name: 'shop' | 'other') =>
  startSmall({
    capabilities: { tools: {}, resources: {} },
    results: {
      'tools/list': {
        tools: [
          tool(`${name}_cart`, { ui: { resourceUri: CART, visibility: ['model', 'app'] } }),
          tool(`${name}_refresh`, { ui: { resourceUri: CART, visibility: ['app'] } }),
          tool(`${name}_old`, { 'ui/resourceUri': CART, 'shop.example/kept': 1 }),
          tool(`${name}_hidden`, { ui: { resourceUri: HIDDEN } }),
          ...(name === 'other' ? [tool('shop_cart', { ui: { resourceUri: CART } })] : []),
        ],
      },
      'tools/call': { content: [{ type: 'text', text: name }], _meta: { 'shop.example/row': 7 } },
      'resources/list': {
        resources: [{ uri: CART, name: 'Cart', mimeType: PAGE, _meta: { ui: UI } }],
      },
      'resources/templates/list': { resourceTemplates: [] },
      'resources/read': ({ uri }) => ({
        contents: [
          uri === HIDDEN
            ? { uri, mimeType: PAGE, blob: Buffer.from(html(name)).toString('base64') }
            : { uri, mimeType: PAGE, text: html(name), _meta: { ui: UI, 'shop.example/kept': 2 } },
        ],
      }),
    },
  })

interface Listed {
  name: string
  uri?: string
  mimeType?: string
  _meta?: Record<string, unknown>
}

describe.skipIf(CANNOT_RUN)('pages of two servers', () => {
  const servers: SmallServer[] = []
  let application: RemoteApplication

  beforeAll(async () => {
    for (const name of ['shop', 'other'] as const) servers.push(await startShop(name))
    application = await startRemote({
      shop: { url: servers[0]?.url },
      other: { url: servers[1]?.url },
    })
    await application.names()
  })
  afterAll(async () => {
    await application?.close()
    for (const server of servers) await server.close()
  })

  const CLIENTS = [
    ['version 1 of the SDK', connectV1],
    ['version 2 of the SDK', connectV2()],
    ['version 2 of the SDK in 2026-07-28', connectV2('auto')],
  ] as const

  it.each(CLIENTS)('have tools whose pages the client of %s finds', async (_, connect) => {
    const { client } = await connect(`${application.url}/mcp`)
    const tools = (await client.listTools()).tools as Listed[]
    await client.close()
    const metaOf = (name: string) => {
      const meta = tools.find((each) => each.name === name)?._meta ?? {}
      // What the gateway itself says of a tool.
      return Object.fromEntries(Object.entries(meta).filter(([key]) => !key.startsWith('ftl/')))
    }
    const second = 'ui://other/shop/cart.html'
    expect(metaOf('shop_cart')).toEqual({
      ui: { resourceUri: CART, visibility: ['model', 'app'] },
    })
    expect(metaOf('other_cart')).toEqual({
      ui: { resourceUri: second, visibility: ['model', 'app'] },
    })
    // A host keeps it from the model.
    expect(metaOf('other_refresh')).toEqual({ ui: { resourceUri: second, visibility: ['app'] } })
    expect(metaOf('shop_old')).toEqual({ 'ui/resourceUri': CART, 'shop.example/kept': 1 })
    expect(metaOf('other_old')).toEqual({ 'ui/resourceUri': second, 'shop.example/kept': 1 })
    expect(metaOf('shop_hidden')).toEqual({ ui: { resourceUri: HIDDEN } })
    expect(metaOf('other_hidden')).toEqual({ ui: { resourceUri: 'ui://other/shop/hidden.html' } })
  })

  it.each(CLIENTS)('reach the client of %s as their server has them', async (_, connect) => {
    const { client } = await connect(`${application.url}/mcp`)
    const capabilities = client.getServerCapabilities()
    const listed = (await client.listResources()).resources as Listed[]
    const read: Record<string, unknown> = {}
    for (const uri of [CART, 'ui://other/shop/cart.html', HIDDEN, 'ui://other/shop/hidden.html']) {
      read[uri] = (await client.readResource({ uri })).contents
    }
    await client.close()
    expect(capabilities).toMatchObject({ extensions: { 'io.modelcontextprotocol/ui': {} } })
    const page = { name: 'Cart', mimeType: PAGE, _meta: { ui: UI } }
    expect(listed).toContainEqual({ uri: CART, ...page })
    expect(listed).toContainEqual({ uri: 'ui://other/shop/cart.html', ...page })
    const cart = (uri: string, of: string) => [
      { uri, mimeType: PAGE, text: html(of), _meta: { ui: UI, 'shop.example/kept': 2 } },
    ]
    const hidden = (uri: string, of: string) => [
      { uri, mimeType: PAGE, blob: Buffer.from(html(of)).toString('base64') },
    ]
    expect(read).toEqual({
      [CART]: cart(CART, 'shop'),
      'ui://other/shop/cart.html': cart('ui://other/shop/cart.html', 'other'),
      [HIDDEN]: hidden(HIDDEN, 'shop'),
      'ui://other/shop/hidden.html': hidden('ui://other/shop/hidden.html', 'other'),
    })
  })

  it('get what their tools say to them, and to no model', async () => {
    const { result } = await application.call('shop_cart')
    expect(result).toMatchObject({ _meta: { 'shop.example/row': 7 } })
  })

  it('whose tools have other names here are reported: a page calls them by their own', async () => {
    expect(await application.problems()).toEqual([
      expect.stringMatching(/^server "other": its pages \(MCP Apps\) call .*"shop_cart"/),
    ])
  })
})
