// Components that write headers which would make a client read one response as two.
import { afterAll, beforeAll, expect } from 'vitest'
import { type RunningApplication, startHostile } from './support/application.ts'
import { attack } from './support/attack.ts'
import { RawClient } from './support/raw-client.ts'
import { built, guest, HANDLE } from './support/wat.ts'

const BODY = 'sixsix'

/**
 * A guest that answers with headers and the body {@link BODY}.
 *
 * @param headers pairs that it appends one by one; those the host refuses are left out.
 */
function answering(headers: readonly (readonly [string, string])[], status = 200) {
  const text = (part: string) =>
    Array.from(
      Buffer.from(part, 'latin1'),
      (byte) => `\\${byte.toString(16).padStart(2, '0')}`,
    ).join('')
  let at = 1024
  const data: string[] = []
  const place = (part: string) => {
    data.push(`(data (i32.const ${at}) "${text(part)}")`)
    at += part.length
    return `(i32.const ${at - part.length}) (i32.const ${part.length})`
  }
  const appends = headers.map(
    ([name, value]) =>
      `(call $append (local.get $fields) ${place(name)} ${place(value)} (i32.const 16))`,
  )
  return guest(`(module
  (import "wasi:http/types@0.2.10" "[constructor]fields" (func $new-fields (result i32)))
  (import "wasi:http/types@0.2.10" "[method]fields.append"
    (func $append (param i32 i32 i32 i32 i32 i32)))
  (import "wasi:http/types@0.2.10" "[constructor]outgoing-response" (func $new (param i32) (result i32)))
  (import "wasi:http/types@0.2.10" "[method]outgoing-response.set-status-code"
    (func $status (param i32 i32) (result i32)))
  (import "wasi:http/types@0.2.10" "[method]outgoing-response.body" (func $body (param i32 i32)))
  (import "wasi:http/types@0.2.10" "[method]outgoing-body.write" (func $stream (param i32 i32)))
  (import "wasi:io/streams@0.2.10" "[method]output-stream.blocking-write-and-flush"
    (func $write (param i32 i32 i32 i32)))
  (import "wasi:io/streams@0.2.10" "[resource-drop]output-stream" (func $drop (param i32)))
  (import "wasi:http/types@0.2.10" "[static]outgoing-body.finish" (func $finish (param i32 i32 i32 i32)))
  (import "wasi:http/types@0.2.10" "[static]response-outparam.set"
    (func $set (param i32 i32 i32 i32 i64 i32 i32 i32 i32)))
  (memory (export "memory") 16)
  (global $next (mut i32) (i32.const 65536))
  (func (export "cabi_realloc") (param i32 i32 i32) (param $size i32) (result i32)
    (local $at i32)
    (local.set $at (global.get $next))
    (global.set $next (i32.add (global.get $next) (i32.and (i32.add (local.get $size) (i32.const 15)) (i32.const -16))))
    (local.get $at))
  (func (export "${HANDLE}") (param $request i32) (param $out i32)
    (local $fields i32) (local $response i32) (local $body i32) (local $stream i32)
    (local.set $fields (call $new-fields))
    ${appends.join('\n    ')}
    (local.set $response (call $new (local.get $fields)))
    (drop (call $status (local.get $response) (i32.const ${status})))
    (call $body (local.get $response) (i32.const 32))
    (local.set $body (i32.load (i32.const 36)))
    (call $set (local.get $out) (i32.const 0) (local.get $response)
      (i32.const 0) (i64.const 0) (i32.const 0) (i32.const 0) (i32.const 0) (i32.const 0))
    (call $stream (local.get $body) (i32.const 48))
    (local.set $stream (i32.load (i32.const 52)))
    (call $write (local.get $stream) ${place(BODY)} (i32.const 64))
    (call $drop (local.get $stream))
    (call $finish (local.get $body) (i32.const 0) (i32.const 0) (i32.const 80)))
  ${data.join('\n  ')})`)
}

const UNUSABLE = {
  plus: [['content-length', '+2']],
  list: [['content-length', '3, 6']],
  two: [
    ['content-length', '2'],
    ['content-length', '6'],
  ],
  hex: [['content-length', '0x2']],
  chunked: [
    ['content-length', '2'],
    ['content-length', '9'],
    ['transfer-encoding', 'chunked'],
  ],
} as const

const CONNECTION = [
  ['connection', 'content-type'],
  ['keep-alive', 'timeout=9999'],
  ['upgrade', 'h2c'],
  ['trailer', 'x-sum'],
  ['te', 'trailers'],
  ['x-kept', 'yes'],
] as const

const SPLIT = [
  ['x-a', 'b\r\nset-cookie: stolen=1'],
  ['x-b', 'b\nset-cookie: stolen=1'],
  ['x-c', 'b\0c'],
  ['x-d: e\r\nset-cookie', 'stolen=1'],
  ['x-kept', 'yes'],
] as const

let host: RunningApplication
beforeAll(async () => {
  const components = Object.entries({
    ...UNUSABLE,
    connection: CONNECTION,
    split: SPLIT,
    short: [['content-length', '2']],
    long: [['content-length', '60']],
    right: [['content-length', '6']],
  } as const).map(async ([id, headers]) => [id, { wasm: await answering(headers) }] as const)
  host = await startHostile({
    ...Object.fromEntries(await Promise.all(components)),
    empty: { wasm: await answering([['content-length', '5']], 204) },
    good: { wasm: await built('test/hostile/good') },
  })
})
afterAll(() => host?.close())

/** What a client receives on one connection when it asks `path` and then something else. */
async function exchange(path: string, method = 'GET'): Promise<{ head: string; all: string }> {
  const client = new RawClient(host.port).send(`${method} ${path} HTTP/1.1`, 'Host: a', '', '')
  await client.text('\r\n\r\n')
  client.send('GET /.well-known/spin/health HTTP/1.1', 'Host: a', 'Connection: close', '', '')
  await client.end()
  const all = client.received
  return { head: all.slice(0, all.indexOf('\r\n\r\n')).toLowerCase(), all }
}

/** The second response follows where the first ends. */
const SECOND =
  /HTTP\/1\.1 200 OK\r\n[^]*\r\n\r\nOK$|HTTP\/1\.1 200 OK\r\n[^]*\r\n2\r\nOK\r\n0\r\n\r\n$/

for (const id of Object.keys(UNUSABLE)) {
  attack(`answer with an unusable content-length (${id})`, async () => {
    const { head, all } = await exchange(`/${id}/`)
    const lengths = head.match(/^(content-length|transfer-encoding): .*$/gm)
    expect(lengths?.length).toBe(1)
    expect(['content-length: 6', 'transfer-encoding: chunked']).toContain(lengths?.[0])
    expect(all).toContain(BODY)
    expect(all).toMatch(SECOND)
    return 'replaced by the host'
  })
}

attack('answer with more or fewer bytes than announced', async () => {
  for (const id of ['short', 'long']) {
    const client = new RawClient(host.port).send(`GET /${id}/ HTTP/1.1`, 'Host: a', '', '')
    client.send('GET /.well-known/spin/health HTTP/1.1', 'Host: a', '', '')
    await client.end()
    expect(client.received.match(/HTTP\/1\.1/g)?.length ?? 0).toBeLessThanOrEqual(1)
    expect(client.received).not.toContain(id === 'short' ? BODY : 'OK\r\n\r\nOK')
  }
  const { all } = await exchange('/right/')
  expect(all).toMatch(SECOND)
  return 'the connection is cut'
})

attack('answer with headers of the connection', async () => {
  const { head } = await exchange('/connection/')
  expect(head).toContain('x-kept: yes')
  expect(head).not.toMatch(/9999|h2c|^trailer|^te:|^connection: content-type/m)
  return 'left out'
})

attack('split a response by a line break in a header', async () => {
  const { head, all } = await exchange('/split/')
  expect(head).toContain('x-kept: yes')
  expect(all).not.toContain('stolen')
  expect(all).not.toContain('\0')
  return 'invalid-syntax for the component'
})

attack('answer HEAD or 204 with a body', async () => {
  for (const [path, method] of [
    ['/right/', 'HEAD'],
    ['/empty/', 'GET'],
  ] as const) {
    const { head, all } = await exchange(path, method)
    expect(all).not.toContain(BODY)
    expect(all.match(/HTTP\/1\.1/g)).toHaveLength(2)
    expect(head.includes('content-length')).toBe(method === 'HEAD')
  }
  return 'left out'
})
