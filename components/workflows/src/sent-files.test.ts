import { createComfyClient } from 'ftl-comfyui/client'
import { type Simulator, startSimulator } from 'ftl-comfyui/simulator'
import { memoryPlatform } from 'ftl-platform/memory'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { placeSent } from './sent-files.ts'

let simulator: Simulator
beforeAll(async () => {
  simulator = await startSimulator({ port: 0, renderSeconds: 0 })
})
afterAll(() => simulator.close())

const VIDEO = new TextEncoder().encode(`\0\0\0\x18ftypisom\0\0\x02\0isommp41${'x'.repeat(300)}`)

const streamOf = (parts: Iterable<Uint8Array<ArrayBuffer>>) =>
  new ReadableStream<Uint8Array<ArrayBuffer>>({
    start(controller) {
      for (const part of parts) controller.enqueue(part)
      controller.close()
    },
  })

/** Places an upload of another server, of which this body comes. */
function place(body: Iterable<Uint8Array<ArrayBuffer>>) {
  const asked: (string | null)[] = []
  const platform = memoryPlatform({
    variables: { image_components: 'workflows,comfyui' },
    fetch: async (input, init) => {
      const request = new Request(input, init)
      if (!request.url.startsWith('http://comfyui.spin.internal/')) return fetch(request)
      asked.push(request.headers.get('ftl-principal'))
      return new Response(streamOf(body))
    },
  })
  const client = createComfyClient({
    baseUrl: simulator.url,
    headers: {},
    fetch: (url, init) => fetch(url, init),
  })
  const sent = { id: 'x', kind: 'video', bytes: VIDEO.length, file: 'mcp/uploads/x.mp4' } as const
  const context = { platform, component: 'workflows', principal: 'ada' }
  const placed = placeSent({ ...sent, server: 'http://other' }, simulator.url, client, context)
  return { placed, asked, client }
}

const inPieces = (bytes: Uint8Array<ArrayBuffer>) =>
  [...bytes].map((byte) => new Uint8Array([byte]))

test('a file of another server is copied, however small the pieces are in which it comes', async () => {
  const { placed, asked, client } = place(inPieces(VIDEO))
  const name = await placed
  expect(asked).toEqual(['ada'])
  const at = name.lastIndexOf('/')
  const file = {
    subfolder: name.slice(0, at),
    filename: name.slice(at + 1),
    type: 'input',
  } as const
  const copy = await client.view(file)
  expect(new Uint8Array(await copy.arrayBuffer())).toEqual(VIDEO)
})

test('a file that does not come whole is not used', async () => {
  await expect(place(inPieces(VIDEO.slice(0, 200))).placed).rejects.toThrow('the whole file')
})
