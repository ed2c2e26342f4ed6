import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { encode } from 'fast-png'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testCall } from './testing/call.ts'
import { readSourceImage } from './source-image.ts'

const png = Uint8Array.from(
  encode({ width: 6, height: 4, data: new Uint8Array(6 * 4 * 3), channels: 3 }),
)
const base64 = Buffer.from(png).toString('base64')
const JOB = '11111111-2222-4333-8444-555555555555'
const noOutput = async () => new Response('', { status: 404 })

/** A foreign server; `https://images.example` leads there. */
let origin = ''
const server = createServer((request, response) => {
  const path = request.url ?? ''
  if (path === '/moved') response.writeHead(302, { location: '/a.png' }).end()
  else if (path === '/page') response.end('<html>')
  else if (path === '/declared')
    response.writeHead(200, { 'content-length': 11 * 2 ** 20 }).end('x')
  else if (path === '/endless') {
    const more = () => {
      while (response.write(Buffer.alloc(2 ** 16))) if (response.destroyed) return
      response.once('drain', more)
    }
    more()
  } else if (path === '/a.png') response.end(png)
  else response.writeHead(500).end()
})
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

const read = (source: string, hosts = 'images.example, *.cdn.example', open = noOutput) => {
  const call = testCall({
    variables: { image_hosts: hosts },
    fetch: (input, init) => fetch(`${origin}${new URL(input as string).pathname}`, init),
  })
  return { call, image: readSourceImage(source, call, { output: open }) }
}

describe('an image is taken', () => {
  it('from a data URL, by its bytes and not by its label', async () => {
    const { image } = read(`data:image/jpeg;base64,${base64}`)
    expect(await image).toMatchObject({ format: 'png', width: 6, height: 4, bytes: png })
  })

  it.each([
    `/outputs/${JOB}-2.png`,
    `http://gateway.example:3000/outputs/${JOB}-2.png`,
    `https://gateway.example/outputs/${JOB}-2.png`,
  ])('from an image made here, without a request: %s', async (source) => {
    const asked: string[] = []
    const { call, image } = read(source, '', async (name?: string) => {
      asked.push(String(name))
      return new Response(png)
    })
    expect((await image).width).toBe(6)
    expect(asked).toEqual([`${JOB}-2.png`])
    expect(call.requests).toEqual([])
  })

  it.each([
    'https://images.example/a.png',
    'https://IMAGES.example:443/a.png',
    'https://x.cdn.example/a.png',
  ])('from an allowed host: %s', async (source) => expect((await read(source).image).width).toBe(6))
})

describe('nothing is fetched', () => {
  it.each([
    [
      'from a host that is not on the list',
      'https://evil.example/a.png',
      /"evil.example" is not one of the hosts/,
    ],
    [
      'from a name that only ends like one',
      'https://evilimages.example/a.png',
      /not one of the hosts/,
    ],
    ['from the parent of a wildcard', 'https://cdn.example/a.png', /not one of the hosts/],
    ['from another port', 'https://images.example:8443/a.png', /not one of the hosts/],
    ['without encryption', 'http://images.example/a.png', /must be an https address/],
    ['from an address inside', 'https://127.0.0.1/a.png', /not one of the hosts/],
    ['from a file', 'file:///etc/passwd', /must be an https address/],
    ['with a password', 'https://me:secret@images.example/a.png', /must not hold a password/],
    ['from what is no address', 'a.png', /must be a data URL/],
    ['from another component', 'http://echo.spin.internal/', /must be an https address/],
  ])('%s', async (_, source, message) => {
    const { call, image } = read(source)
    await expect(image).rejects.toThrow(message)
    await expect(image).rejects.toThrow(/^image/)
    expect(call.requests).toEqual([])
  })

  it('when no host is allowed, which is the default', async () => {
    await expect(read('https://images.example/a.png', '').image).rejects.toThrow(
      /not one of the hosts/,
    )
    await expect(read('https://images.example/a.png', '*').image).rejects.toThrow(
      /not one of the hosts/,
    )
  })
})

describe('an image is refused', () => {
  it.each([
    ['that is somewhere else now', 'https://images.example/moved', /could not be fetched/],
    ['that is a page', 'https://images.example/page', /is not a PNG, JPEG, WebP or GIF/],
    ['that says it is too large', 'https://images.example/declared', /larger than 10 MB/],
    ['that does not end', 'https://images.example/endless', /larger than 10 MB/],
    [
      'that is not there',
      'https://images.example/none',
      /could not be fetched from "images.example"/,
    ],
    ['whose job has expired', `/outputs/${JOB}.png`, /was not found/],
    ['that no job can have made', '/outputs/picture.png', /it was not found: .* id of its job/],
    ['that is not base64', 'data:image/png,abc', /must be base64/],
    ['that is broken base64', 'data:image/png;base64,a*b', /not valid base64/],
    [
      'that is larger than may be sent',
      `data:;base64,${'A'.repeat(14_100_000)}`,
      /larger than 10 MB/,
    ],
  ])('%s', async (_, source, message) => {
    await expect(read(source).image).rejects.toThrow(message)
  })

  it('whose pixels would fill the memory of the server', async () => {
    const bomb = png.slice()
    new DataView(bomb.buffer).setUint32(16, 60_000)
    new DataView(bomb.buffer).setUint32(20, 60_000)
    const source = `data:image/png;base64,${Buffer.from(bomb).toString('base64')}`
    await expect(read(source).image).rejects.toThrow(/60000 x 60000 pixels is too large/)
  })
})
