import { expect, test } from 'vitest'
import { messageHead } from './message-head.ts'

const head = (message: unknown) => messageHead(Buffer.from(JSON.stringify(message)))

test('of a call: the method and the tool, never the arguments', () => {
  const params = { name: 'echo', arguments: { message: 'hi', token: 'hunter2' } }
  expect(head({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })).toEqual({
    rpc: 'tools/call',
    target: 'echo',
    client: undefined,
  })
})

test('the client, as each revision names it', () => {
  const info = { name: 'Inspector', version: '2' }
  expect(head({ method: 'initialize', params: { clientInfo: info } })?.client).toEqual(info)
  const _meta = { 'io.modelcontextprotocol/clientInfo': info }
  expect(head({ method: 'tools/list', params: { _meta } })?.client).toEqual(info)
})

test('of a resource its address without the query; of a batch the first message', () => {
  expect(head([{ method: 'resources/read', params: { uri: 'x://a?token=1' } }])).toMatchObject({
    rpc: 'resources/read',
    target: 'x://a',
  })
})

test.each([
  ['', undefined],
  ['{', undefined],
  ['[]', undefined],
  ['null', undefined],
  ['{"method":7}', undefined],
  ['{"__proto__":{"method":"a"}}', undefined],
  [`{"method":"${'a'.repeat(70_000)}"}`, undefined],
  [Buffer.from([0xff, 0xfe, 0x00]).toString('latin1'), undefined],
])('%.30s is not a message', (text, expected) => {
  expect(messageHead(Buffer.from(text, 'latin1'))).toBe(expected)
})
