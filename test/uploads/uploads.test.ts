// Files that are too large for the arguments of a call, through the real gateway and component to a ComfyUI.
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Simulator, startSimulator } from 'ftl-comfyui/simulator'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ftl } from '../support/command.ts'
import { embeddedOnly } from '../support/embedded-only.ts'
import { CANNOT_RUN, startWorkflows, type WorkflowApplication } from '../workflows/application.ts'

const MIB = 1024 * 1024
const LIMIT = 12 * MIB
/** Begins as an MP4 does; the simulator looks no further. */
const START = Buffer.from('\0\0\0\x18ftypisom\0\0\x02\0isommp41', 'latin1')
const video = (bytes: number) => Buffer.concat([START, randomBytes(bytes - START.length)])
const digest = (data: Uint8Array | string) => createHash('sha256').update(data).digest('hex')
const keyOf = (name: string) => `ftl_${createHash('sha256').update(name).digest('base64url')}`
const KEYS = { ada: keyOf('ada'), bob: keyOf('bob') }

describe.skipIf(CANNOT_RUN)('POST /uploads', () => {
  let stateDir = ''
  let simulator: Simulator
  let app: WorkflowApplication
  beforeAll(async () => {
    stateDir = await mkdtemp(join(tmpdir(), 'ftl-uploads-'))
    simulator = await startSimulator({ port: 0, renderSeconds: 0, stateDir })
    app = await startWorkflows({
      comfyui: { url: simulator.url },
      variables: {
        tool_components: 'comfyui,workflows',
        upload_max_bytes: String(LIMIT),
        api_keys: JSON.stringify(
          Object.entries(KEYS).map(([principal, key]) => ({
            sha256: digest(key),
            principal,
            scopes: [],
          })),
        ),
        policy: JSON.stringify({
          rules: [
            { name: 'ada', principals: ['key:ada'], effect: 'allow' },
            { name: 'bob', principals: ['key:bob'], components: ['workflows'], effect: 'allow' },
          ],
        }),
      },
      host: { bodyIdleMs: 1000 },
    })
    await app.put('workflows/clip.json', {
      '1': { class_type: 'LoadVideo', inputs: { file: 'none.mp4' } },
      '2': {
        class_type: 'SaveVideo',
        inputs: { video: ['1', 0], filename_prefix: 'clip', format: 'auto', codec: 'auto' },
      },
    })
    const mapping = { node: '1', attribute: 'file' }
    await app.put('config/clip.json', [
      { name: 'clip', fields: [{ name: 'video', type: 'video', required: true, mapping }] },
    ])
  })
  afterAll(async () => {
    await app.close()
    await simulator.close()
    await rm(stateDir, { recursive: true, force: true })
  })

  interface Answer {
    uri: string
    error?: { code: string; message: string }
  }

  type Caller = keyof typeof KEYS
  const key = (caller: Caller) => ({ authorization: `Bearer ${KEYS[caller]}` })

  async function upload(body: BodyInit, query = '', caller: Caller = 'ada') {
    const sent = { method: 'POST', body, duplex: 'half', headers: key(caller) }
    const response = await fetch(`${app.url}/uploads${query}`, sent)
    return { status: response.status, answer: (await response.json()) as Answer }
  }

  async function run(args: object, caller: Caller = 'ada') {
    const response = await fetch(`${app.url}/tools/clip`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...key(caller) },
      body: JSON.stringify(args),
    })
    const body = (await response.json()) as {
      structuredContent: { outputs: { url: string }[]; params: object }
    }
    return { status: response.status, body, text: JSON.stringify(body) }
  }

  /** What the ComfyUI server has stored of uploads. */
  function stored(): string[] {
    const folder = join(stateDir, 'input', 'mcp', 'uploads')
    return existsSync(folder) ? readdirSync(folder) : []
  }

  it('takes a file that is too large for JSON, which a workflow tool gets by its address', async () => {
    const bytes = video(6 * MIB)
    const { status, answer } = await upload(bytes, '?name=../holiday%00.mp4')
    const about = { kind: 'video', mimeType: 'video/mp4', bytes: bytes.length }
    expect({ status, answer }).toMatchObject({
      status: 201,
      answer: { name: 'holiday.mp4', ...about },
    })
    expect(answer.uri).toMatch(/^\/uploads\/[0-9a-z]+-[0-9a-f-]{36}$/)
    const { body, text } = await run({ video: answer.uri })
    expect(body.structuredContent?.params, text).toEqual({ video: answer.uri })
    // Only its sender may use the file, so the result does not have its name on the server.
    expect(text).not.toContain('mcp/uploads')
    const link = body.structuredContent.outputs[0]?.url ?? ''
    const made = await fetch(new URL(link, app.url), { headers: key('ada') })
    expect(digest(await made.bytes())).toBe(digest(bytes))
  })

  it('takes a body of unknown length, and keeps two files of one name apart', async () => {
    const files = [video(3 * MIB), video(2 * MIB)]
    const addresses: string[] = []
    for (const bytes of files) {
      const { status, answer } = await upload(new Blob([bytes]).stream(), '?name=a.mp4')
      expect(status).toBe(201)
      addresses.push(answer.uri)
    }
    expect(new Set(addresses).size).toBe(2)
    for (const [index, uri] of addresses.entries()) {
      const { body } = await run({ video: new URL(uri, app.url).href })
      const link = body.structuredContent.outputs[0]?.url ?? ''
      const made = await fetch(new URL(link, app.url), { headers: key('ada') })
      expect(digest(await made.bytes())).toBe(digest(files[index] ?? ''))
    }
  })

  it('is sent by ftl upload, which prints the address alone', async () => {
    const bytes = video(5 * MIB)
    const path = join(stateDir, 'a clip.mp4')
    await writeFile(path, bytes)
    const flags = ['--url', `${app.url}/mcp`, '--token', KEYS.ada]
    const sent = ftl(['upload', path, ...flags])
    expect(await sent.exited, sent.output()).toBe(0)
    const { body } = await run({ video: sent.output().trim() })
    const link = body.structuredContent.outputs[0]?.url ?? ''
    const made = await fetch(new URL(link, app.url), { headers: key('ada') })
    expect(digest(await made.bytes())).toBe(digest(bytes))
    await writeFile(path, 'no video')
    const refused = ftl(['upload', path, ...flags])
    expect(await refused.exited).toBe(1)
    expect(refused.output()).toContain('was not uploaded: The file must be PNG')
  })

  it('belongs to its sender: another caller cannot name it, nor the file on the server', async () => {
    const { answer } = await upload(video(1000))
    const refused = await run({ video: answer.uri }, 'bob')
    expect(refused.text).toContain('video: it was not found')
    const name = `mcp/uploads/${stored().at(-1) ?? ''}`
    for (const video of [name, name.toUpperCase(), name.replace('/', '//')]) {
      expect((await run({ video }, 'bob')).text).toContain('video: must be a data URL')
    }
    expect((await run({ video: answer.uri })).status).toBe(200)
  })

  it('is only for callers who may use the tool that takes uploads', async () => {
    expect(await upload(video(1000), '', 'bob')).toMatchObject({
      status: 404,
      answer: { error: { code: 'no_uploads' } },
    })
    const response = await fetch(`${app.url}/uploads`, { method: 'POST', body: video(1000) })
    expect(response.status).toBe(401)
  })

  it.each([
    ['an empty file', '', 400, 'empty_file'],
    ['a file of another type', '<html></html>', 415, 'unsupported_file'],
  ])('refuses %s, and stores nothing', async (_, body, status, code) => {
    const before = stored()
    expect(await upload(body)).toMatchObject({ status, answer: { error: { code } } })
    expect(stored()).toEqual(before)
  })

  /** The answer is sent before the whole body was read. */
  const early = embeddedOnly('Spin then closes the connection, and the client may miss the answer')

  it.each([
    ['a file', video(LIMIT + 1)],
    [
      'an image that no field takes',
      Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(11 * MIB)]),
    ],
  ])('refuses %s that is too large, and stores nothing', early, async (_, body) => {
    const before = stored()
    const answer = { error: { code: 'file_too_large' } }
    expect(await upload(body)).toMatchObject({ status: 413, answer })
    expect(stored()).toEqual(before)
  })

  it('ends a body of unknown length at the limit, and stores nothing', early, async () => {
    const before = stored()
    const body = new Blob([video(LIMIT + 1)]).stream()
    expect(await upload(body)).toMatchObject({
      status: 413,
      answer: {
        error: { code: 'file_too_large', message: expect.stringContaining(`${LIMIT}`) as string },
      },
    })
    expect(stored()).toEqual(before)
  })

  it('says how to send a file to a client that sends a form', async () => {
    const form = new FormData()
    form.set('file', new Blob([video(1000)]), 'a.mp4')
    const { status, answer } = await upload(form)
    expect(status).toBe(415)
    expect(answer.error?.message).toContain('--data-binary')
  })

  const head = (length: number) =>
    `POST /uploads HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${KEYS.ada}\r\nContent-Length: ${length}\r\n\r\n`

  /** Sends a part of a file, once the server has got so much of it. */
  function begin(): Socket {
    const socket = connect(Number(new URL(app.url).port), '127.0.0.1')
    socket.on('error', () => undefined)
    socket.write(head(4 * MIB))
    socket.write(video(MIB))
    return socket
  }

  it('a client that disconnects in the middle leaves nothing', async () => {
    const before = stored()
    const socket = begin()
    await once(socket, 'drain')
    socket.destroy()
    expect((await upload(video(1000))).status).toBe(201)
    expect(stored()).toHaveLength(before.length + 1)
  })

  const slow = embeddedOnly('Spin has no limit for a slow client')

  it('a client that stops in the middle is disconnected, and leaves nothing', slow, async () => {
    const before = stored()
    const socket = begin()
    let answer = ''
    socket.on('data', (data: Buffer) => (answer += data.toString('latin1')))
    await once(socket, 'close')
    expect(answer).toMatch(/^HTTP\/1\.1 408 /)
    expect(stored()).toEqual(before)
  })

  it(
    'a body in JSON that is too large is refused with the limit and what to do',
    early,
    async () => {
      const file = `data:video/mp4;base64,${video(4 * MIB).toString('base64')}`
      const { status, text } = await run({ video: file })
      expect(status).toBe(413)
      expect(text).toMatch(/4 MiB.*POST \/uploads/)
      const message = {
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'clip', arguments: { video: file } },
      }
      const response = await fetch(`${app.url}/mcp`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...key('ada') },
        body: JSON.stringify(message),
      })
      expect(response.status).toBe(413)
      expect(await response.text()).toMatch(/4 MiB.*POST \/uploads/)
    },
  )
})

describe.skipIf(CANNOT_RUN)('POST /uploads with a ComfyUI that fails', () => {
  it('says so when the server ends the connection, or refuses the file', async () => {
    let isBroken = true
    const server = createServer((request, response) => {
      request.once('data', () => {
        if (isBroken) return request.socket.destroy()
        // As aiohttp does, which reads on for a while after such an answer.
        request.resume()
        response.writeHead(413).end('Maximum request body size exceeded.')
      })
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const variables = { tool_components: 'comfyui' }
    const app = await startWorkflows({ comfyui: { url: `http://127.0.0.1:${port}` }, variables })
    const send = async () => {
      const response = await fetch(`${app.url}/uploads`, { method: 'POST', body: video(2 * MIB) })
      return [response.status, await response.text()]
    }
    try {
      const broken = await send()
      isBroken = false
      const refused = await send()
      expect(broken).toEqual([502, expect.stringContaining('could not be reached')])
      expect(refused).toEqual([502, expect.stringContaining('does not take that much data')])
    } finally {
      await app.close()
      server.close()
      server.closeAllConnections()
    }
  })
})
