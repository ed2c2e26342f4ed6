import { describe, expect, it } from 'vitest'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { createSite } from './site.ts'
import { createSandbox } from './apps/sandbox.ts'
import { createWeb } from './web.ts'

const BODY = 'console.log("the page")'
const site = createSite({
  html: '<html data-bridge="" data-clients=""></html>',
  hash: 'abc',
  files: {
    'app/main-1.js': {
      type: 'text/javascript; charset=utf-8',
      body: BODY,
      gzip: gzipSync(BODY).toString('base64'),
      brotli: brotliCompressSync(BODY).toString('base64'),
    },
  },
})
const redirect = createSite(
  { html: '<html>back</html>', hash: 'def', files: {} },
  { isKept: false },
)
const sandbox = createSandbox({
  html: '<script type="module" src="./proxy-1.js"></script>',
  hash: 'ghi',
  files: { 'proxy-1.js': { type: '', body: 'relay("$&")', gzip: '', brotli: '' } },
})
const web = createWeb({ page: site, redirect, sandbox })

function ask(
  url: string,
  headers: Record<string, string> = {},
  variables: Record<string, string> = {},
  method = 'GET',
) {
  const platform = { variables: { get: (name: string) => variables[name] }, randomUUID: () => 'id' }
  return web(new Request(url, { headers, method }), platform)
}

it.each(['/', '/app/main-1.js'])('OPTIONS %s lists the methods', async (path) => {
  const response = await ask(`http://localhost${path}`, {}, {}, 'OPTIONS')
  expect(response.status).toBe(204)
  expect(response.headers.get('allow')).toBe('GET, HEAD, OPTIONS')
})

describe('the bridge the page may reach', () => {
  it.each([
    ['http://localhost:3000/', '', 'ws://localhost:8001'],
    ['https://localhost/', '', 'wss://localhost:8001'],
    ['http://[::1]:3000/', ':9000', 'ws://[::1]:9000'],
    ['http://localhost/', 'https://bridge.example/live', 'wss://bridge.example/live'],
  ])('of %s with bridge_url "%s" is %s', async (url, bridge_url, expected) => {
    const response = await ask(url, {}, { bridge_url, page_servers: 'none' })
    expect(await response.text()).toBe(`<html data-bridge="${expected}" data-clients=""></html>`)
    const policy = response.headers.get('content-security-policy')
    // An address with a path would allow that path alone.
    expect(policy).toContain(`connect-src 'self' ${new URL(expected).origin};`)
  })

  it('can neither leave its attribute nor add to the policy', async () => {
    const bridge_url = `ws://bridge.example/"><script>;script-src='*'`
    const response = await ask('http://localhost/', {}, { bridge_url, page_servers: 'none' })
    expect(await response.text()).toMatch(/^<html data-bridge="[^"<>]+" data-clients=""><\/html>$/)
    const policy = response.headers.get('content-security-policy') ?? ''
    expect(policy.split('; ').filter((part) => part.startsWith('script-src'))).toEqual([
      "script-src 'self'",
    ])
    expect(policy).toContain("connect-src 'self' ws://bridge.example;")
  })

  it('is part of what a kept document is compared by', async () => {
    const tag = async (bridge_url: string) =>
      (await ask('http://localhost/', {}, { bridge_url })).headers.get('etag') ?? ''
    expect(await tag(':8001')).not.toBe(await tag(':8002'))
    const headers = { 'if-none-match': await tag(':8001') }
    const kept = await ask('http://localhost/', headers, { bridge_url: ':8001' })
    expect(kept.status).toBe(304)
    expect(kept.headers.get('content-security-policy')).toContain("default-src 'none'")
  })
})

it('the MCP servers that the workbench may request are in the policy, and the page knows them', async () => {
  const site = createSite({ html: '<html data-servers=""></html>', hash: 'ghi', files: {} })
  const open = async (page_servers: string) => {
    const platform = {
      variables: { get: (name: string) => ({ page_servers, bridge_url: 'off' })[name] },
      randomUUID: () => 'id',
    }
    const response = await createWeb({ page: site, redirect, sandbox })(
      new Request('http://localhost/'),
      platform,
    )
    return {
      text: await response.text(),
      policy: response.headers.get('content-security-policy') ?? '',
      tag: response.headers.get('etag'),
    }
  }
  const allowed = await open('https://mcp.example, https://mcp.example')
  expect(allowed.text).toBe('<html data-servers="https://mcp.example https://mcp.example"></html>')
  expect(allowed.policy).toContain("connect-src 'self' https://mcp.example;")
  const none = await open('none')
  expect(none.policy).toContain("connect-src 'self';")
  expect(none.tag).not.toBe(allowed.tag)
  const refused = await open("https://mcp.example;script-src'unsafe-inline'")
  expect(refused.text).toContain('page_servers')
})

describe('a file', () => {
  it.each([
    ['gzip, br', 'br'],
    ['br;q=1, gzip;q=0.5', 'br'],
    ['br;q=0, gzip', 'gzip'],
    ['gzip, deflate', 'gzip'],
    ['gzip;q=0', null],
    ['gzip; q=0.0, br', 'br'],
    ['brotli, zip', null],
    ['', null],
  ])('for Accept-Encoding "%s" is encoded with %s', async (accepted, encoding) => {
    const response = await ask('http://localhost/app/main-1.js', { 'accept-encoding': accepted })
    expect(response.headers.get('content-encoding')).toBe(encoding)
    expect(response.headers.get('vary')).toContain('Accept-Encoding')
  })

  it('that is not there is 404, whatever the objects of the language have by that name', async () => {
    for (const path of ['/app/nothing.js', '/constructor', '/app/../constructor']) {
      expect((await ask(`http://localhost${path}`)).status).toBe(404)
    }
  })
})

it('only the sandbox of apps may be framed, and only by the page', async () => {
  const framed = await ask('http://localhost/app/sandbox?connect=https://api.example')
  expect(framed.status).toBe(200)
  expect(framed.headers.get('x-frame-options')).toBe('SAMEORIGIN')
  expect(framed.headers.get('content-security-policy')).toMatch(
    /^sandbox allow-scripts allow-forms;/,
  )
  expect(framed.headers.get('x-content-type-options')).toBe('nosniff')
  for (const path of ['/', '/app/nothing.js']) {
    const response = await ask(`http://localhost${path}`)
    expect(response.headers.get('x-frame-options')).toBe('DENY')
  }
  const policy = (await ask('http://localhost/')).headers.get('content-security-policy')
  expect(policy).toContain("frame-src 'self';")
  expect((await ask('http://elsewhere.example/app/sandbox')).status).toBe(403)
})

it('a name nobody has allowed is refused, and one that is allowed is not', async () => {
  const url = 'http://page.example/'
  expect((await ask(url)).status).toBe(403)
  expect((await ask(url, {}, { allowed_hosts: 'page.example' })).status).toBe(200)
})

it('a variable that cannot be used is named', async () => {
  const response = await ask('http://localhost/', {}, { bridge_url: 'nonsense' })
  expect(response.status).toBe(500)
  expect(await response.json()).toMatchObject({
    error: { code: 'configuration', message: expect.stringContaining('"bridge_url"') as string },
  })
})
