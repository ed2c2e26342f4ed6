// Files through a real workerd from a real HTTP server.
import { crc32 } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { GatewayStandIn, IMAGE } from './testing/gateway-stand-in.ts'
import { type Bridge, startBridge } from './local.ts'

let gateway: GatewayStandIn
let bridge: Bridge

beforeAll(async () => {
  gateway = await GatewayStandIn.start()
  bridge = await startBridge({
    gatewayUrl: gateway.url,
    port: 0,
    allowedOrigins: ['https://app.example'],
  })
})
afterAll(async () => {
  await bridge.close()
  await gateway.close()
})
beforeEach(() => gateway.healthy())

describe('the files of a job', () => {
  const file = () => `${bridge.url}/outputs/${crypto.randomUUID()}.png`

  it('come through byte by byte, with what a cache needs', async () => {
    const response = await fetch(file(), { headers: { cookie: 'secret', authorization: 'x' } })
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'image/png',
      'content-length': String(IMAGE.length),
      'accept-ranges': 'bytes',
      etag: '"e1"',
    })
    expect(response.headers.get('set-cookie')).toBeNull()
    expect(gateway.fileHeaders).not.toHaveProperty('cookie')
    expect(gateway.fileHeaders).not.toHaveProperty('authorization')
    expect(Buffer.from(await response.arrayBuffer())).toEqual(IMAGE)
  })

  it('are described without their bytes', async () => {
    const response = await fetch(file(), { method: 'HEAD' })
    expect(response.status).toBe(200)
    expect(response.headers.get('content-length')).toBe(String(IMAGE.length))
    expect((await response.arrayBuffer()).byteLength).toBe(0)
  })

  it('in part, or not again', async () => {
    const part = await fetch(file(), { headers: { range: 'bytes=0-3' } })
    expect(part.status).toBe(206)
    expect(part.headers.get('content-range')).toBe('bytes 0-3/12')
    expect(Buffer.from(await part.arrayBuffer())).toEqual(IMAGE.subarray(0, 4))
    const beyond = await fetch(file(), { headers: { range: 'bytes=99-' } })
    expect(beyond.status).toBe(416)
    expect(beyond.headers.get('content-range')).toBe('bytes */12')
    expect((await fetch(file(), { headers: { 'if-none-match': '"e1"' } })).status).toBe(304)
  })

  it.each([503, 500, 429, 302])('without the gateway are an error: %i', async (status) => {
    gateway.instead = (response) => response.writeHead(status, { location: '/x' }).end('secret')
    const response = await fetch(file(), { redirect: 'manual' })
    expect(response.status).toBe(502)
    expect(await response.json()).toMatchObject({ error: { code: 'gateway_unreachable' } })
  })

  it('that the gateway does not have are not found', async () => {
    gateway.instead = (response) => response.writeHead(404).end('secret')
    const response = await fetch(file())
    expect(response.status).toBe(404)
    expect(await response.json()).toMatchObject({ error: { code: 'output_not_found' } })
  })

  it('that ComfyUI no longer has are gone', async () => {
    gateway.instead = (response) => response.writeHead(410).end('secret')
    const response = await fetch(file())
    expect(response.status).toBe(410)
    expect(await response.json()).toEqual({
      error: { code: 'output_gone', message: 'The file was deleted.' },
    })
  })

  it.each(['x.png', '..%2fjobs', '%2e%2e%2fhealth'])('do not include %s', async (name) => {
    expect((await fetch(`${bridge.url}/outputs/${name}`)).status).toBe(404)
    expect(gateway.looks).toEqual([])
  })
})

describe('a picture that carries its workflow', () => {
  const address = (extension = 'png') => `${bridge.url}/outputs/${crypto.randomUUID()}.${extension}`
  const part = async (range: string, more: Record<string, string> = {}) => {
    const response = await fetch(address(), { headers: { range, ...more } })
    const bytes = Buffer.from(await response.arrayBuffer())
    return { status: response.status, says: response.headers.get('content-range'), bytes }
  }
  const pixels = crypto.getRandomValues(Buffer.alloc(65_000)) as Buffer
  const text = chunk('tEXt', Buffer.from(`prompt\0${'a secret prompt '.repeat(1000)}`))
  const head = Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', Buffer.alloc(13)),
  ])
  const data = Buffer.concat(Array.from({ length: 40 }, () => chunk('IDAT', pixels)))
  const file = Buffer.concat([head, text, data, chunk('IEND', Buffer.alloc(0))])
  const blank = Buffer.concat([
    head,
    chunk('blNk', Buffer.alloc(text.length - 12)),
    data,
    chunk('IEND', Buffer.alloc(0)),
  ])
  beforeEach(() => {
    gateway.file = file
  })

  it('comes without it, as long as it was', async () => {
    const response = await fetch(address())
    expect(response.headers.get('content-length')).toBe(String(file.length))
    expect(Buffer.from(await response.arrayBuffer()).equals(blank)).toBe(true)
    const { headers } = await fetch(address(), { method: 'HEAD' })
    expect(headers.get('content-length')).toBe(String(file.length))
  })

  it.each([
    ['bytes=0-9', 0, 10],
    ['bytes=40-9999', 40, 10_000],
    ['bytes=1000-1001', 1000, 1002],
    ['bytes=2000000-', 2_000_000, file.length],
    ['bytes=-12', file.length - 12, file.length],
  ])('comes without it in part: %s', async (range, from, to) => {
    const { status, says, bytes } = await part(range)
    expect(status).toBe(206)
    expect(says).toBe(`bytes ${from}-${to - 1}/${file.length}`)
    expect(bytes.equals(blank.subarray(from, to))).toBe(true)
  })

  it('comes whole when the part is no longer of the same file', async () => {
    expect((await part('bytes=0-9', { 'if-range': '"other"' })).status).toBe(200)
    expect((await part('bytes=0-9', { 'if-range': '"e1"' })).status).toBe(206)
    expect((await part(`bytes=${file.length}-`)).status).toBe(416)
  })

  it('comes with it where the operator says so', async () => {
    const keeping = await startBridge({ gatewayUrl: gateway.url, port: 0, keepPngText: true })
    const response = await fetch(`${keeping.url}/outputs/${crypto.randomUUID()}.png`)
    expect(Buffer.from(await response.arrayBuffer()).equals(file)).toBe(true)
    await keeping.close()
  })

  it('is not looked for in other files, whose parts the gateway cuts itself', async () => {
    expect(Buffer.from(await (await fetch(address('webp'))).arrayBuffer()).equals(file)).toBe(true)
    const response = await fetch(address('webp'), { headers: { range: 'bytes=0-3' } })
    expect(response.status).toBe(206)
    expect(gateway.fileHeaders.range).toBe('bytes=0-3')
  })

  it('is cut off, and not passed off as whole, when the gateway breaks off', async () => {
    gateway.instead = (response) => {
      response.writeHead(200, { 'content-type': 'image/png', 'content-length': file.length })
      response.write(file.subarray(0, 100_000), () => response.destroy())
    }
    const response = await fetch(address())
    await expect(response.arrayBuffer()).rejects.toThrow()
  })
})

describe('every file', () => {
  it('is shown, and cannot act as a page of this origin', async () => {
    const name = `${crypto.randomUUID()}-2.webp`
    const { headers } = await fetch(`${bridge.url}/outputs/${name}`)
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-disposition': `inline; filename="${name}"`,
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, max-age=86400, immutable',
    })
  })

  it('may be asked for by a page, with conditions', async () => {
    const { status, headers } = await fetch(`${bridge.url}/outputs/${crypto.randomUUID()}.png`, {
      method: 'OPTIONS',
      headers: { origin: 'https://app.example', 'access-control-request-method': 'GET' },
    })
    expect(status).toBe(204)
    expect(headers.get('access-control-allow-origin')).toBe('https://app.example')
    expect(headers.get('access-control-allow-headers')).toContain('if-none-match')
  })
})

function chunk(type: string, data: Buffer): Buffer {
  const file = Buffer.alloc(data.length + 12)
  file.writeUInt32BE(data.length)
  file.write(type, 4, 'latin1')
  data.copy(file, 8)
  file.writeUInt32BE(crc32(file.subarray(4, -4)), data.length + 8)
  return file
}
