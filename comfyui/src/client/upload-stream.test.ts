import { expect, test } from 'vitest'
import { createComfyClient } from './client.ts'
import { isStoredUpload, uploadFormat } from './upload-stream.ts'

const FORMAT = { kind: 'model3d', extension: 'glb', type: 'model/gltf-binary' } as const

async function* pieces(error?: Error): AsyncGenerator<Uint8Array<ArrayBuffer>, undefined> {
  yield new Uint8Array([1, 2])
  if (error) throw error
  yield new Uint8Array([3])
  return undefined
}

test('a form with a random name and boundary goes to the folder of its kind', async () => {
  const bodies: string[] = []
  const client = createComfyClient({
    baseUrl: 'http://comfy',
    async fetch(_url, init) {
      const request = new Request('http://comfy/', init)
      const form = await request.clone().formData()
      const file = form.get('image')
      bodies.push(await request.text())
      if (!(file instanceof File)) throw new Error('no file')
      expect([...(await file.bytes())]).toEqual([1, 2, 3])
      return Response.json({ name: file.name, subfolder: form.get('subfolder') })
    },
  })
  const names = [
    await client.uploadStream(FORMAT, pieces()),
    await client.uploadStream(FORMAT, pieces()),
  ]
  for (const name of names) expect(name).toMatch(/^3d\/mcp\/uploads\/[0-9a-f]{32}\.glb$/)
  expect(new Set(names).size).toBe(2)
  const [boundary, another] = bodies.map((body) => body.split('\r\n')[0])
  expect(boundary).not.toBe(another)
  expect(boundary).not.toContain(names[0]?.slice(-36, -4))
})

test('what the pieces end with is the error, not that of the request', async () => {
  const client = createComfyClient({
    baseUrl: 'http://comfy',
    async fetch(_url, init) {
      await new Request('http://comfy/', init).bytes()
      throw new Error('not reached')
    },
  })
  const broken = new Error('the sender has gone')
  await expect(client.uploadStream(FORMAT, pieces(broken))).rejects.toBe(broken)
})

test.each([
  'mcp/uploads/0.mp4',
  '3d/mcp/uploads/0.glb',
  'MCP\\Uploads\\0.mp4',
  'mcp//uploads/./0.mp4',
  'mcp/x/../uploads/0.mp4',
  './mcp/uploads/0.mp4 [input]',
])('%j is the name of an upload', (name) => expect(isStoredUpload(name)).toBe(true))

test.each(['mcp/0.png', 'uploads/0.mp4', 'mcp/uploads2/0.mp4', 'a photo of mcp/uploads-x', ''])(
  '%j is not',
  (name) => expect(isStoredUpload(name)).toBe(false),
)

test('a binary STL is known by the length of the whole file', () => {
  const head = new Uint8Array(84)
  head[80] = 2
  expect(uploadFormat(head, 84 + 100)).toMatchObject({ extension: 'stl' })
  expect(uploadFormat(head, undefined)).toBeUndefined()
})
