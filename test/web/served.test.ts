// The page as it is served: who gets it, what it may do, how much it is, how soon it is there.
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { request } from 'node:http'
import { expect, it } from 'vitest'
import { usePage } from './use-page.ts'

const pages = usePage()
const LIMIT = 60_000
/** Of a script that is loaded later. */
const PART_LIMIT = 40_000

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

/** Beginnings of the names of scripts that no one needs who only opens the page. */
const PARTS = [
  ...['markdown', 'paint', 'tool-form', 'approval-dialog', 'sign-in-card', 'oauth', 'palette'],
  ...['workbench-view', 'code-view', 'activity-view', 'reference-view', 'connect-view'],
  ...['gallery', 'jobs', 'settings'],
]

/** Libraries, which are loaded when they are first needed: the editor of the Code view, and the MCP client. */
const HEAVY: readonly [string, number][] = [
  ['code-view', 150_000],
  ['browser', 80_000],
]

it(`is less than ${LIMIT / 1000} KB on the wire, and so is each part that is loaded later`, async () => {
  const { html, files } = await document()
  const first = await weigh(files, /(?:import|from)"\.\/([\w-]+\.js)"/g)
  const sum = Buffer.byteLength(html) + first.brotli
  console.log(`the page: ${kb(sum)} KB, as gzip ${kb(Buffer.byteLength(html) + first.gzip)}`)
  expect(sum).toBeLessThan(LIMIT)
  // The browser learns from the document what it needs at first, without reading a script.
  expect(files.toSorted()).toEqual([...first.names].toSorted())
  // What is loaded when a user opens a view, gets an answer, approves a call or signs in.
  const all = await weigh(files, /"\.\/([\w-]+\.js)"/g)
  const later = [...all.names].filter((name) => !first.names.has(name))
  for (const part of PARTS) {
    expect(later.filter((name) => name.startsWith(`/app/${part}-`)).length, part).toBeGreaterThan(0)
  }
  const heavy = later.map((name) => `${name} ${kb(all.sizes.get(name) ?? 0)}`)
  console.log(heavy.toSorted().join('\n'))
  for (const name of later) {
    const heavy = HEAVY.find(([part]) => name.startsWith(`/app/${part}-`))
    expect(all.sizes.get(name), name).toBeLessThan(heavy?.[1] ?? PART_LIMIT)
  }
  console.log(`all of it: ${kb(all.brotli)} KB`)
})

function kb(bytes: number): string {
  return (bytes / 1000).toFixed(1)
}

/** @param pattern finds what a script refers to: a set that grows is walked to its end. */
async function weigh(files: readonly string[], pattern: RegExp) {
  const names = new Set(files)
  const sizes = new Map<string, number>()
  let gzip = 0
  for (const file of names) {
    const packed = await raw(file, { 'accept-encoding': 'gzip' })
    const plain = await raw(file, {})
    expect(packed.headers['content-encoding']).toBe('gzip')
    expect(plain.headers['content-encoding']).toBeUndefined()
    expect(gunzipSync(packed.body).equals(plain.body)).toBe(true)
    const smaller = await raw(file, { 'accept-encoding': 'gzip, br' })
    expect(smaller.headers['content-encoding']).toBe('br')
    expect(brotliDecompressSync(smaller.body).equals(plain.body)).toBe(true)
    sizes.set(file, smaller.body.length)
    gzip += packed.body.length
    if (!file.endsWith('.js')) continue
    for (const [, name = ''] of plain.body.toString().matchAll(pattern)) names.add(`/app/${name}`)
  }
  return { names, sizes, gzip, brotli: [...sizes.values()].reduce((sum, size) => sum + size, 0) }
}

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

it('shows something within a second, and sends no request to another server', async () => {
  // The first request of all also starts the worker.
  await pages.open()
  const page = await pages.open('/#/jobs')
  const asked: string[] = []
  page.on('request', (sent) => asked.push(sent.url()))
  await page.goto(`${pages.world.url}/`)
  await page.reload()
  await page.getByText('Generate image').waitFor()
  // The text can be in the document before the first frame is painted.
  await page.waitForFunction(
    () => performance.getEntriesByName('first-contentful-paint').length > 0,
  )
  const painted = await page.evaluate(
    () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime,
  )
  console.log(`first paint after ${painted?.toFixed(0)} ms`)
  expect(painted).toBeLessThan(1_000)
  const { host } = new URL(pages.world.url)
  expect(asked.filter((url) => new URL(url).host !== host)).toEqual([])
  // What signs users in is loaded with the first sign-in.
  expect(asked.some((url) => url.includes('oauth'))).toBe(false)
})
