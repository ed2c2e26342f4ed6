import { describe, expect, it } from 'vitest'
import { createSite } from './site.ts'
import { createWeb } from './web.ts'

const page = createSite({
  html: '<html data-bridge="" data-clients=""></html>',
  hash: 'a',
  files: {},
})
const redirect = createSite(
  {
    html: '<html>back</html>',
    hash: 'b',
    files: { 'redirect-1.js': { type: 'text/javascript', body: 'x', gzip: '', brotli: '' } },
  },
  { folder: '/app/oauth/', isKept: false },
)
const web = createWeb({ page, redirect, sandbox: () => new Response() })

function ask(url: string, variables: Record<string, string> = {}) {
  const platform = { variables: { get: (name: string) => variables[name] }, randomUUID: () => 'id' }
  return web(new Request(url), platform)
}

async function connectable(variables: Record<string, string>): Promise<string[]> {
  const response = await ask('http://localhost/', {
    bridge_url: 'off',
    page_servers: 'none',
    ...variables,
  })
  const policy = response.headers.get('content-security-policy') ?? ''
  return (
    policy
      .split('; ')
      .find((part) => part.startsWith('connect-src'))
      ?.split(' ')
      .slice(1) ?? []
  )
}

describe('the authorization servers that the page may request', () => {
  it.each([
    ['', []],
    ['https://auth.example/realms/main', ['https://auth.example']],
    [
      'https://a.example/x, https://b.example:8443,https://a.example/y',
      ['https://a.example', 'https://b.example:8443'],
    ],
    [
      '[{"issuer":"https://a.example/x","jwks":{"keys":[]}},"http://127.0.0.1:9000"]',
      ['https://a.example', 'http://127.0.0.1:9000'],
    ],
    // The gateway says what is wrong with these.
    ['[', []],
    ['[5,{"issuer":5},null]', []],
    ['nonsense', []],
    ['javascript:alert(1),data:text/html;x', []],
    ['https://a.example; script-src *', []],
    ['https://a.example;script-src', []],
    ["https://a.example/';script-src%20*", ['https://a.example']],
  ])('of auth_issuers %j are %j', async (auth_issuers, origins) => {
    expect(await connectable({ auth_issuers })).toEqual(["'self'", ...origins])
  })

  it('include those of auth_page_origins, and nothing else', async () => {
    const auth_page_origins = 'https://token.example/path, https://reg.example'
    expect(await connectable({ auth_page_origins })).toEqual([
      "'self'",
      'https://token.example',
      'https://reg.example',
    ])
    const response = await ask('http://localhost/', { auth_page_origins: "'unsafe-inline'" })
    expect(response.status).toBe(500)
    expect(await response.text()).toContain('auth_page_origins')
  })
})

describe('the client of the page', () => {
  it.each([
    ['', ''],
    ['page', '{&#34;*&#34;:&#34;page&#34;}'],
    ['{"https://a.example":"page"}', '{&#34;https://a.example&#34;:&#34;page&#34;}'],
    ['"><script>$&', '{&#34;*&#34;:&#34;\\&#34;&#62;&#60;script&#62;$&#38;&#34;}'],
  ])('of auth_client_id %j is in the document as data', async (auth_client_id, expected) => {
    const response = await ask('http://localhost/', { auth_client_id, bridge_url: 'off' })
    expect(await response.text()).toBe(`<html data-bridge="" data-clients="${expected}"></html>`)
  })

  it.each(['{', '{"https://a.example":5}'])('cannot be %s', async (auth_client_id) => {
    const response = await ask('http://localhost/', { auth_client_id })
    expect(response.status).toBe(500)
    expect(await response.text()).toContain('auth_client_id')
  })

  it('describes itself at its own address, with https, for a host that servers can reach', async () => {
    const response = await ask('http://gateway.example/app/oauth/client.json', {
      allowed_hosts: 'gateway.example',
    })
    expect(response.headers.get('content-type')).toContain('application/json')
    expect(await response.json()).toMatchObject({
      client_id: 'https://gateway.example/app/oauth/client.json',
      redirect_uris: ['https://gateway.example/app/oauth/redirect'],
      token_endpoint_auth_method: 'none',
    })
    for (const host of ['localhost:3000', '127.0.0.1', '[::1]:8080', 'app.localhost']) {
      expect((await ask(`http://${host}/app/oauth/client.json`)).status).toBe(404)
    }
    expect((await ask('http://rebound.example/app/oauth/client.json')).status).toBe(403)
  })
})

it('the redirect page is not kept by browsers, and its address is not in it', async () => {
  const response = await ask('http://localhost/app/oauth/redirect?code=secret&state=x')
  expect(response.headers.get('cache-control')).toBe('no-store')
  expect(response.headers.get('etag')).toBeNull()
  expect(await response.text()).toBe('<html>back</html>')
  expect((await ask('http://localhost/app/oauth/redirect-1.js')).status).toBe(200)
})
