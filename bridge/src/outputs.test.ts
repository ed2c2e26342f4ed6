// Files through a real workerd from a real HTTP server.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { GatewayStandIn, IMAGE } from './gateway-stand-in.ts'
import { type Bridge, startBridge } from './local.ts'

let gateway: GatewayStandIn
let bridge: Bridge

beforeAll(async () => {
  gateway = await GatewayStandIn.start()
  bridge = await startBridge({ gatewayUrl: gateway.url, port: 0, giveUpMs: 1500 })
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

  it.each(['x.png', '..%2fjobs', '%2e%2e%2fhealth'])('do not include %s', async (name) => {
    expect((await fetch(`${bridge.url}/outputs/${name}`)).status).toBe(404)
    expect(gateway.looks).toEqual([])
  })
})
