// Requests that two programs could read differently: which host, which path, where the body ends.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type RunningApplication, startHostile } from './support/application.ts'
import { attack } from './support/attack.ts'
import { RawClient } from './support/raw-client.ts'
import { built, guestThat } from './support/wat.ts'

let host: RunningApplication
beforeAll(async () => {
  host = await startHostile(
    {
      good: { wasm: await built('test/hostile/good') },
      open: { wasm: await guestThat('') },
      inner: { wasm: await guestThat(''), route: false },
    },
    { maxHeaderBytes: 16_384 },
  )
})
afterAll(() => host?.close())

/** Sends bytes as they are and reads until the connection ends, or no more comes. */
async function raw(...lines: string[]): Promise<string> {
  const client = new RawClient(host.port).send(...lines)
  await client.status()
  await client.end(200).catch(() => {})
  client.destroy()
  return client.received
}

const statusesOf = (received: string) =>
  [...received.matchAll(/^HTTP\/1\.1 (\d{3})/gm)].map(([, status]) => Number(status))

/** A request hidden where one reader sees a body and another a second request. */
const HIDDEN = ['GET /good/wait?ms=1 HTTP/1.1', 'Host: hidden', '', '']
const POST = ['POST /open/ HTTP/1.1', 'Host: a']
const chunked = 'Transfer-Encoding: chunked'

/** Each with the rest of the request behind its head. */
const SMUGGLING: readonly [name: string, lines: string[]][] = [
  ['a length and chunks', [...POST, 'Content-Length: 5', chunked, '', '0', '', ...HIDDEN]],
  ['chunks and a length', [...POST, chunked, 'Content-Length: 5', '', '0', '', ...HIDDEN]],
  ['two lengths', [...POST, 'Content-Length: 0', 'Content-Length: 50', '', ...HIDDEN]],
  ['a signed length', [...POST, 'Content-Length: +5', '', ...HIDDEN]],
  ['a list of lengths', [...POST, 'Content-Length: 0, 5', '', ...HIDDEN]],
  ['a length in hexadecimal', [...POST, 'Content-Length: 0x5', '', ...HIDDEN]],
  ['an unknown coding', [...POST, 'Transfer-Encoding: xchunked', '', '0', '', ...HIDDEN]],
  ['chunked before another', [...POST, 'Transfer-Encoding: chunked, gzip', '', '0', '', ...HIDDEN]],
  ['a space before the colon', [...POST, 'Content-Length : 5', '', ...HIDDEN]],
  ['a folded header', [...POST, 'X-A: b', ' Content-Length: 50', '', ...HIDDEN]],
  ['a chunk size with a sign', [...POST, chunked, '', '+0', '', ...HIDDEN]],
  ['a bare line feed in a chunk size', [...POST, chunked, '', '5\n12345', '0', '', ...HIDDEN]],
]

for (const [name, lines] of SMUGGLING) {
  attack(`hide a request behind ${name}`, async () => {
    const received = await raw(...lines)
    expect(received).not.toContain('waited')
    expect(statusesOf(received).at(-1)).toBe(400)
    return '400, closed'
  })
}

attack('send chunks with endless extensions', async () => {
  const client = new RawClient(host.port).send(...POST, chunked, '', `1;${'x'.repeat(200_000)}`)
  await client.end(5000)
  expect(statusesOf(client.received)).toEqual([413])
  return '413, closed'
})

attack('send endless trailers', async () => {
  const trailer = 'X-Trailer: 0123456789\r\n'
  const client = new RawClient(host.port).send(...POST, chunked, '', '0', trailer.repeat(50_000))
  await client.end(5000)
  expect(statusesOf(client.received).every((status) => status >= 400)).toBe(true)
  return 'closed'
})

attack('send more headers than anyone needs', async () => {
  const headers = Array.from({ length: 1500 }, (_, i) => `a${i}: b`)
  const received = await raw('GET /open/ HTTP/1.1', 'Host: a', ...headers, '', '')
  expect(statusesOf(received)).toEqual([431])
  return '431'
})

attack('expect something other than 100-continue', async () => {
  const received = await raw(...POST, 'Expect: a-cake', 'Content-Length: 2', '', 'ok')
  expect(statusesOf(received)).toEqual([417])
  return '417'
})

attack('announce too long a body and ask whether to send it', async () => {
  const length = `Content-Length: ${2 ** 40}`
  expect(statusesOf(await raw(...POST, 'Expect: 100-continue', length, '', ''))).toEqual([413])
  return '413, no 100'
})

describe('which host', () => {
  test.each([
    ['two Host headers', ['GET /open/ HTTP/1.1', 'Host: a', 'Host: b']],
    ['the same Host header twice', ['GET /open/ HTTP/1.1', 'Host: a', 'host: a']],
    ['no Host header', ['GET /open/ HTTP/1.1', 'X-A: b']],
    ['an empty Host header', ['GET /open/ HTTP/1.1', 'Host:']],
    ['a Host header with a path', ['GET /open/ HTTP/1.1', 'Host: a/../b']],
    ['a Host header with a user', ['GET /open/ HTTP/1.1', 'Host: u@a']],
    ['an absolute target with a user', ['GET http://u@b/open/ HTTP/1.1', 'Host: a']],
    ['an absolute target of another scheme', ['GET ftp://b/open/ HTTP/1.1', 'Host: a']],
    ['a target that is no path', ['OPTIONS * HTTP/1.1', 'Host: a']],
  ])('%s is refused with 400', async (_, lines) => {
    expect(statusesOf(await raw(...lines, '', ''))).toEqual([400])
  })

  test('an absolute target is routed by its path', async () => {
    const lines = ['GET http://b.example/open/ HTTP/1.1', 'Host: a', '', '']
    expect(statusesOf(await raw(...lines))).toEqual([200])
  })
})

describe('which path: the route is chosen by the path that a URL parser makes of it', () => {
  test.each([
    ['/open/../nowhere', 404],
    ['/nowhere/../open/', 200],
    ['/open/%2e%2e/nowhere', 404],
    ['/open/.%2E/nowhere', 404],
    ['/nowhere/%2e%2e/open/', 200],
    ['/nowhere\\..\\open\\', 200],
    ['/../../open/', 200],
    ['//open/', 404],
    ['/open/..%2fnowhere', 200],
    ['/inner/', 404],
    ['/open/../inner/', 404],
    ['/open/../.well-known/spin/health', 200],
  ])('%s: %d', async (path, status) => {
    expect(statusesOf(await raw(`GET ${path} HTTP/1.1`, 'Host: a', '', ''))).toEqual([status])
  })

  test('a component sees the path it was chosen by', async () => {
    const received = await raw('GET /x/../good/a/../wait?ms=1&to=/../b HTTP/1.1', 'Host: a', '', '')
    expect(received).toContain('waited')
  })
})
