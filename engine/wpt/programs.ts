/** Programs on the server of web-platform-tests that tests of `fetch` call, as far as a client without origin needs them. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

interface Call {
  request: IncomingMessage
  response: ServerResponse
  query: URLSearchParams
}

const stash = new Map<string, string>()

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  return Buffer.concat(parts)
}

const header = ({ request }: Call, name: string) => String(request.headers[name] ?? 'NO')

async function echo(call: Call, names: readonly string[], type?: string): Promise<void> {
  const { request, response } = call
  const headers = Object.fromEntries(
    names.map((name) => [`x-request-${name}`, header(call, name)] as const),
  )
  response.writeHead(200, {
    ...headers,
    'x-request-method': request.method ?? '',
    ...(type === undefined ? {} : { 'content-type': type }),
  })
  response.end(await bodyOf(request))
}

const CONTENT = ['type', 'length', 'encoding', 'language', 'location'].map(
  (name) => `content-${name}`,
)

async function trickle({ request, response, query }: Call): Promise<void> {
  const delay = Number(query.get('ms') ?? 500)
  await bodyOf(request)
  await sleep(2 * delay)
  response.writeHead(200, query.has('notype') ? {} : { 'content-type': 'text/plain' })
  for (let left = Number(query.get('count') ?? 50); left > 0 && !response.destroyed; left--) {
    response.write('TEST_TRICKLE\n')
    await sleep(delay)
  }
  response.end()
}

/** Ends with bytes that do not form a chunk. */
async function badChunks({ response, query }: Call): Promise<void> {
  const delay = Number(query.get('ms') ?? 1000)
  await sleep(delay)
  response.writeHead(200, { 'transfer-encoding': 'chunked' }).flushHeaders()
  await sleep(delay)
  for (let left = Number(query.get('count') ?? 50); left > 0 && !response.destroyed; left--) {
    response.write('TEST_CHUNK')
    await sleep(delay)
  }
  response.socket?.end('garbage')
}

async function slow({ response, query }: Call): Promise<void> {
  const state = query.get('stateKey')
  const abort = query.get('abortKey') ?? ''
  if (state) stash.set(state, 'open')
  response.writeHead(200, { 'content-type': 'text/plain' }).write('.'.repeat(2048))
  while (!response.destroyed && !stash.has(abort)) {
    response.write('.')
    await sleep(10)
  }
  response.destroy()
  if (state) stash.set(state, 'closed')
}

/** The bytes of a parameter, as they go into a header. */
function bytesOf(url: string, name: string): string | null {
  const [, value] = new RegExp(`[?&]${name}=([^&]*)`).exec(url) ?? []
  if (value === undefined) return null
  const spaced = value.replaceAll('+', ' ')
  return spaced.replace(/%([0-9a-f]{2})/gi, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 16)),
  )
}

function redirect({ request, response, query }: Call): void {
  const count = query.get('token') ?? ''
  const times = Number(stash.get(count) ?? 0) + 1
  stash.set(count, String(times))
  if (query.has('max_count') && times > Number(query.get('max_count'))) {
    stash.delete(count)
    response.end(String(times - 1))
    return
  }
  const location = bytesOf(request.url ?? '', 'location')
  const status = Number(query.get('redirect_status') ?? 302)
  const goesOn = location !== null && !query.has('simple') && /^(https?:|[^:]*$)/.test(location)
  const target = goesOn
    ? `${location}${location.includes('?') ? '&' : '?'}${query}&count=${times}`
    : location
  response.writeHead(status, {
    'content-type': 'text/plain',
    ...(target === null ? {} : { location: target }),
  })
  response.end()
}

export const PROGRAMS: Readonly<Record<string, (call: Call) => void | Promise<void>>> = {
  'method.py': (call) => echo(call, CONTENT),
  'echo-content.py': (call) => echo(call, ['content-length', 'content-type'], 'text/plain'),
  'inspect-headers.py': (call) => {
    const names = (call.query.get('headers') ?? '').toLowerCase().split('|')
    return echo(
      call,
      names.filter((name) => name in call.request.headers),
      'text/plain',
    )
  },
  'status.py': ({ request, response, query }) => {
    response.writeHead(Number(query.get('code') ?? 200), query.get('text') ?? 'OMG', {
      'content-type': query.get('type') ?? '',
      'x-request-method': request.method ?? '',
    })
    response.end(query.get('content') ?? '')
  },
  'trickle.py': trickle,
  'bad-chunk-encoding.py': badChunks,
  'infinite-slow-response.py': slow,
  'redirect.py': redirect,
  'redirect-empty-location.py': ({ response }) =>
    void response.writeHead(302, { location: '' }).end(),
  'stash-put.py': ({ response, query }) => {
    stash.set(query.get('key') ?? '', query.get('value') ?? '')
    response.end('done')
  },
  'stash-take.py': ({ response, query }) => {
    const key = query.get('key') ?? ''
    response.end(JSON.stringify(stash.get(key) ?? null))
    stash.delete(key)
  },
  'clean-stash.py': ({ response, query }) => {
    response.end(stash.delete(query.get('token') ?? '') ? '1' : '0')
  },
}
