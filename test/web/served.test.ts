// The page as it is served: who gets it, what it may do, and what it weighs.
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { request } from 'node:http'
import { describe, expect, it } from 'vitest'
import { pageFiles, PARTS, weighPage } from './figures/weight.ts'
import { usePage } from './use-page.ts'

const pages = usePage()

async function document() {
  const response = await fetch(pages.world.url)
  const html = await response.text()
  const files = [...html.matchAll(/(?:src|href)="\.(\/app\/[^"]+)"/g)].map(([, path = '']) => path)
  return { response, html, files }
}

/** The page of the tests is opened on this machine. */
const LOCAL_SERVERS = 'http://localhost:* http://127.0.0.1:*'

it('may load and reach nothing but its own origin, the bridge and MCP servers of this machine', async () => {
  const { response, html } = await document()
  const bridge = pages.world.bridgeUrl.replace('http', 'ws')
  const policy = Object.fromEntries(
    (response.headers.get('content-security-policy') ?? '').split('; ').map((entry) => {
      const [name = '', ...values] = entry.split(' ')
      return [name, values.join(' ')]
    }),
  )
  expect(policy).toMatchObject({
    'default-src': "'none'",
    'script-src': "'self'",
    'style-src': "'self'",
    'img-src': "'self' data: blob:",
    'connect-src': `'self' ${bridge} ${LOCAL_SERVERS}`,
    'frame-ancestors': "'none'",
    'base-uri': "'none'",
    'form-action': "'none'",
  })
  expect(response.headers.get('x-content-type-options')).toBe('nosniff')
  expect(response.headers.get('referrer-policy')).toBe('no-referrer')
  expect(html).toContain(`data-bridge="${bridge}"`)
  expect(html).toContain(`data-servers="${LOCAL_SERVERS}"`)
  expect(html.replace(LOCAL_SERVERS, '')).not.toMatch(/<script>|<style|https?:\/\//)
})

it('the document is revalidated and not sent twice; its files are cached for ever', async () => {
  const { response, files } = await document()
  expect(response.headers.get('cache-control')).toBe('no-cache')
  const headers = { 'if-none-match': response.headers.get('etag') ?? '' }
  const again = await fetch(pages.world.url, { headers })
  expect(again.status).toBe(304)
  expect(await again.text()).toBe('')
  // The script with what it imports, the styles and the icon.
  expect(files.length).toBeGreaterThanOrEqual(3)
  for (const file of files) {
    const { headers, status } = await fetch(pages.world.url + file)
    expect(status).toBe(200)
    expect(file).toMatch(/-[A-Z0-9]{8}\.(js|css|svg)$/)
    expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
  }
})

/** `fetch` would take the compression off. */
async function raw(path: string, headers: Record<string, string>, method = 'GET') {
  return new Promise<{ status: number; headers: Record<string, unknown>; body: Buffer }>(
    (resolve, reject) => {
      const sent = request(pages.world.url + path, { headers, method }, (response) => {
        const parts: Buffer[] = []
        response.on('data', (part: Buffer) => parts.push(part))
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: Buffer.concat(parts),
          }),
        )
      })
      sent.on('error', reject)
      sent.end()
    },
  )
}

it(
  'is sent compressed, and its document names all that the first load needs',
  { timeout: 120_000 },
  async () => {
    const files = await pageFiles(pages.world.url)
    expect(files.named.toSorted()).toEqual([...files.first].toSorted())
    expect(files.all.size).toBeGreaterThan(files.first.size)
    for (const file of files.all) {
      const packed = await raw(file, { 'accept-encoding': 'gzip' })
      const plain = await raw(file, {})
      expect(packed.headers['content-encoding']).toBe('gzip')
      expect(plain.headers['content-encoding']).toBeUndefined()
      expect(gunzipSync(packed.body).equals(plain.body)).toBe(true)
      const smaller = await raw(file, { 'accept-encoding': 'gzip, br' })
      expect(smaller.headers['content-encoding']).toBe('br')
      expect(brotliDecompressSync(smaller.body).equals(plain.body)).toBe(true)
    }
  },
)

it('is for the names and pages the gateway is for', async () => {
  const foreign = await raw('/', { host: 'rebound.example' })
  expect(foreign.status).toBe(403)
  expect((await raw('/', { origin: 'https://evil.example' })).status).toBe(403)
  expect((await raw('/', {}, 'POST')).status).toBe(405)
  expect((await raw('/app/nothing.js', {})).status).toBe(404)
  expect(await raw('/app/', {})).toMatchObject({ status: 308, headers: { location: '/' } })
  const head = await raw('/', {}, 'HEAD')
  expect([head.status, head.body.length]).toEqual([200, 0])
  // What is not the page's is the gateway's, as before.
  expect((await raw('/health', {})).status).toBe(200)
  expect((await raw('/tools', {})).status).toBe(200)
})

it('sends no request to another server, and does not load what signs users in', async () => {
  const page = await pages.open('/#/jobs')
  const asked: string[] = []
  page.on('request', (sent) => asked.push(sent.url()))
  await page.goto(`${pages.world.url}/`)
  await page.reload()
  await page.getByText('Generate image').waitFor()
  const { host } = new URL(pages.world.url)
  expect(asked.length).toBeGreaterThan(3)
  expect(asked.filter((url) => new URL(url).host !== host)).toEqual([])
  expect(asked.some((url) => url.includes('oauth'))).toBe(false)
})

/** The figures of docs/web.md, as limits. `npm run bench -- --section page` prints what they are. */
describe('the weight of the page', () => {
  /** Bytes on the wire, as Brotli and as gzip. */
  const FIRST = [52_000, 58_000] as const
  const VIEWS: Record<string, readonly [brotli: number, gzip: number]> = {
    Gallery: [5_000, 5_500],
    Tools: [50_500, 56_500],
    // The MCP client.
    'Tools, the first call': [85_000, 100_000],
    // The editor.
    Code: [155_000, 185_000],
    Jobs: [8_000, 9_000],
    Activity: [11_000, 12_500],
    API: [32_000, 36_000],
    Connect: [6_000, 6_500],
    'Chat, an answer': [19_000, 21_000],
    'Chat, a block of code': [11_000, 12_500],
    Find: [11_000, 12_500],
    'Sign in': [3_000, 3_500],
  }

  it('is within its limit at first, and for each part that is loaded later', async () => {
    const { first, views } = await weighPage(pages.world.url)
    expect(Object.keys(VIEWS).toSorted()).toEqual(Object.keys(PARTS).toSorted())
    expect(first.brotli).toBeLessThanOrEqual(FIRST[0])
    expect(first.gzip).toBeLessThanOrEqual(FIRST[1])
    for (const [name, { brotli, gzip }] of views) {
      const [mostBrotli, mostGzip] = VIEWS[name] ?? [0, 0]
      expect(brotli, `${name}, Brotli`).toBeLessThanOrEqual(mostBrotli)
      expect(gzip, `${name}, gzip`).toBeLessThanOrEqual(mostGzip)
    }
  })
})
