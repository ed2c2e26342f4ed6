import { expect, it } from 'vitest'
import { createComfyClient } from './client.ts'
import type { Fetch } from './http.ts'

const PNG = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
const text = (value: string) => [...new TextEncoder().encode(value)]

async function upload(bytes: number[], answers: (Response | Error)[]) {
  const sent: { form: FormData; raw: Uint8Array }[] = []
  const answer: Fetch = async (url, init) => {
    expect(new URL(url).pathname).toBe('/api/upload/image')
    const request = new Request(url, init)
    sent.push({ raw: await request.clone().bytes(), form: await request.formData() })
    const next = answers[sent.length - 1]
    if (next instanceof Response) return next
    throw next ?? new Error('no answer left')
  }
  const client = createComfyClient({ baseUrl: 'http://comfy', fetch: answer })
  const result = await client.uploadImage(new Uint8Array(bytes)).catch((error: unknown) => error)
  return { sent, result }
}
const stored = (name: string, subfolder: string) =>
  Response.json({ name, subfolder, type: 'input' })

it.each([
  ['png', 'image/png', PNG],
  ['jpg', 'image/jpeg', [0xff, 0xd8, 0xff, 0xe0]],
  ['gif', 'image/gif', text('GIF89a')],
  ['webp', 'image/webp', [...text('RIFF'), 10, 13, 0, 0, ...text('WEBP')]],
])('sends a picture with its bytes untouched: %s', async (extension, type, start) => {
  const bytes = [...start, 0, 13, 10, 255]
  const { sent, result } = await upload(bytes, [stored('theirs.png', 'elsewhere')])
  const image = sent[0]?.form.get('image') as File
  expect(image.name).toMatch(new RegExp(`^[0-9a-f]{32}\\.${extension}$`))
  expect(image.type).toBe(type)
  expect([...(await image.bytes())]).toEqual(bytes)
  expect([sent[0]?.form.get('type'), sent[0]?.form.get('subfolder')]).toEqual(['input', 'mcp'])
  expect(result).toBe('elsewhere/theirs.png')
})

it('sends nothing that is no picture', async () => {
  const { sent, result } = await upload(text('<svg onload="alert(1)">'), [])
  expect(sent).toEqual([])
  expect(result).toMatchObject({ kind: 'invalid_value' })
})

it('sends a picture again whose answer was lost: its name is the same', async () => {
  const { sent, result } = await upload(PNG, [new TypeError('reset'), stored('a.png', '')])
  expect(sent.map(({ form }) => (form.get('image') as File).name)).toEqual(
    Array(2).fill(expect.stringMatching(/\.png$/)),
  )
  expect(sent[0]?.raw).toEqual(sent[1]?.raw)
  expect(result).toBe('a.png')
})

it('does not let a picture add fields, whatever an earlier one told of the separator', async () => {
  const first = await upload(PNG, [stored('a.png', '')])
  const boundary = /^--(\S+)/.exec(new TextDecoder().decode(first.sent[0]?.raw))?.[1] ?? ''
  const evil = `\r\n--${boundary}\r\ncontent-disposition: form-data; name="overwrite"\r\n\r\n1`
  const { sent } = await upload([...PNG, ...text(evil)], [stored('a.png', '')])
  expect([...(sent[0]?.form.keys() ?? [])]).toEqual(['type', 'subfolder', 'image'])
})

it('tells a picture that is too large for the server', async () => {
  const { result } = await upload(PNG, [new Response('', { status: 413 })])
  expect(result).toMatchObject({ kind: 'rejected', details: { status: 413 } })
})

it.each([502, 504])('is repeated once if a proxy answers %i', async (status) => {
  let asked = 0
  const fetch = async () =>
    ++asked === 1 ? new Response('<html>', { status }) : Response.json({ name: 'a.png' })
  const client = createComfyClient({ baseUrl: 'http://comfyui', fetch })
  const png = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  expect(await client.uploadImage(png)).toBe('a.png')
  expect(asked).toBe(2)
})
