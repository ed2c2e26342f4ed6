// The members of the official client that wire.ts overrides: an update may change them, as they are not public.
import { Client as OfficialClient, InMemoryTransport } from '@modelcontextprotocol/client'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { PendingRequests, RequestFailure } from './transport/pending-requests.ts'
import { JobStarted, Wire } from './wire.ts'

type Answer = { result: object } | { error: object } | { method: string; params: object }

let wire: Wire
let answer: Answer
beforeEach(async () => {
  const [own, server] = InMemoryTransport.createLinkedPair()
  server.onmessage = (message) => {
    if (!('id' in message) || !('method' in message)) return
    const { id, method } = message
    const introduction = {
      protocolVersion: '2025-11-25',
      capabilities: { tools: {} },
      serverInfo: { name: 'test', version: '1' },
    }
    const body = method === 'initialize' ? { result: introduction } : answer
    void server.send({ jsonrpc: '2.0', id, ...body } as never)
  }
  await server.start()
  wire = new Wire({ name: 'test', version: '1' }, new PendingRequests(), {
    versionNegotiation: { mode: 'legacy' },
  })
  await wire.connect(own)
})
afterEach(() => wire.close())

const call = () => wire.callTool({ name: 'draw', arguments: {} })

describe('the official client', () => {
  it('still has the methods that are overridden', () => {
    const members = OfficialClient.prototype as unknown as Record<string, unknown>
    for (const name of ['_onresponse', '_shouldDropInbound']) {
      expect(members[name], name).toBeTypeOf('function')
      expect((members[name] as () => void).length, name).toBe(1)
    }
  })

  it('passes each response to _onresponse: a task ends the call with JobStarted', async () => {
    const result = { resultType: 'task', taskId: 't', status: 'working' }
    answer = { result }
    await expect(call()).rejects.toMatchObject({ data: { how: 'task', params: result } })
    await expect(call()).rejects.toMatchObject({ data: expect.any(JobStarted) as unknown })
  })

  it('asks _shouldDropInbound about each request: stream/start ends the call', async () => {
    answer = { method: 'stream/start', params: { stream_id: 's' } }
    await expect(call()).rejects.toMatchObject({
      data: { how: 'stream', params: { stream_id: 's' } },
    })
  })

  it('throws the data of an error unchanged, so that errors of the server can be marked', async () => {
    answer = { error: { code: -32602, message: 'No.', data: { field: 'x' } } }
    await expect(call()).rejects.toMatchObject({ data: expect.any(RequestFailure) as unknown })
    await expect(call()).rejects.toMatchObject({
      data: { error: { kind: 'rpc', code: -32602, data: { field: 'x' } } },
    })
  })

  it('resolves with any other result', async () => {
    answer = { result: { content: [{ type: 'text', text: 'hello' }] } }
    expect(await call()).toMatchObject({ content: [{ type: 'text', text: 'hello' }] })
  })
})

it('a cursor that is null ends a list', async () => {
  answer = { result: { tools: [{ name: 'a', inputSchema: { type: 'object' } }], nextCursor: null } }
  expect((await wire.listTools()).tools).toHaveLength(1)
})
