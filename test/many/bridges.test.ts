// Two bridges on one gateway: each serves every stream, and clients of a bridge that ends continue at the other.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Bridge, startBridge } from 'ftl-bridge/local'
import { embeddedOnly } from '../support/embedded-only.ts'
import { startApplication, type TestApplication } from '../support/application.ts'
import { listen, type StreamMessage } from '../jobs/readers.ts'
import { callTool } from '../support/rpc.ts'

const only = embeddedOnly('starts bridges of its own')

let application: TestApplication
let bridges: Bridge[]
beforeAll(async () => {
  if (only.skip) return
  application = await startApplication()
  bridges = await Promise.all(
    [1, 2].map(() => startBridge({ gatewayUrl: application.url, port: 0 })),
  )
})
afterAll(async () => {
  await Promise.all((bridges ?? []).map((bridge) => bridge.close()))
  await application?.close()
})

let seed = 0

async function start(): Promise<string> {
  const args = { prompt: 'a lighthouse', seed: ++seed }
  const { params } = await callTool(application.url, 'generate_image', args)
  return String(params?.['stream_id'])
}

const socketUrl = (bridge: Bridge | undefined, id: string) =>
  `${bridge?.url.replace('http', 'ws')}/ws/stream/${id}`

/** Messages without what differs from bridge to bridge: the address of the picture. */
const methods = (messages: StreamMessage[]) => messages.map(({ method }) => method)

it('sockets of one stream at two bridges get the same messages', only, async () => {
  const id = await start()
  const all = await Promise.all(
    [...bridges, ...bridges].map((bridge) => listen(socketUrl(bridge, id))),
  )
  for (const messages of all) expect(methods(messages)).toEqual(['stream/chunk', 'stream/end'])
})

it('a socket whose bridge ends gets the rest at the other bridge', only, async () => {
  const id = await start()
  const third = await startBridge({ gatewayUrl: application.url, port: 0 })
  const socket = new WebSocket(socketUrl(third, id))
  const got: StreamMessage[] = []
  socket.onmessage = ({ data }) => got.push(JSON.parse(String(data)) as StreamMessage)
  await new Promise((resolve, reject) => {
    socket.onopen = resolve
    socket.onerror = () => reject(new Error('no connection'))
  })
  const closed = new Promise((resolve) => (socket.onclose = resolve))
  await third.close()
  await closed
  expect(methods(got)).not.toContain('stream/end')
  const rest = await listen(socketUrl(bridges[0], id))
  expect(methods(rest)).toEqual(['stream/chunk', 'stream/end'])
})

it('a client that comes to the other bridge after the end gets the end', only, async () => {
  const id = await start()
  await listen(socketUrl(bridges[0], id))
  expect(methods(await listen(socketUrl(bridges[1], id)))).toEqual(['stream/chunk', 'stream/end'])
})
