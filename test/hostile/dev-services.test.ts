// What `ftl start` and `ftl dev` start beside the application: any web page can send requests to it, and it runs in the
// process of the command.
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { encode } from 'fast-png'
import { type Simulator, startSimulator } from 'ftl-comfyui/simulator'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { type DemoModel, startDemoModel } from '../../cli/src/demo-model/server.ts'
import { attack } from './support/attack.ts'
import { RawClient } from './support/raw-client.ts'

/** Errors that would end `ftl dev`. */
const uncaught: string[] = []
const note = (error: unknown) => void uncaught.push(String(error))

let folder: string
let simulator: Simulator
let model: DemoModel
beforeAll(async () => {
  process.on('uncaughtExceptionMonitor', note)
  folder = await mkdtemp(join(tmpdir(), 'ftl-services-'))
  simulator = await startSimulator({ port: 0, stateDir: join(folder, 'state', 'simulator') })
  model = await startDemoModel()
})
afterAll(async () => {
  process.off('uncaughtExceptionMonitor', note)
  await Promise.all([simulator?.close(), model?.close()])
  await rm(folder, { recursive: true, force: true })
})

const portOf = ({ url }: { url: string }) => Number(new URL(url).port)

/** The status of a request that is sent as it is written, or 0 if the connection ends without an answer. */
async function statusOf(port: number, ...head: string[]): Promise<number> {
  const client = new RawClient(port).send(...head, 'Connection: close', '', '')
  try {
    return await client.status()
  } catch (error) {
    if (!client.closed) throw error
    return 0
  } finally {
    client.destroy()
  }
}

const UPGRADE = ['Upgrade: websocket', 'Connection: Upgrade', 'Sec-WebSocket-Version: 13']
const asSocket = (key = 'AAAAAAAAAAAAAAAAAAAAAA==') => [...UPGRADE, `Sec-WebSocket-Key: ${key}`]

async function answers(): Promise<void> {
  expect((await fetch(`${simulator.url}/system_stats`)).status).toBe(200)
  expect(uncaught).toEqual([])
}

describe('the ComfyUI simulator', () => {
  // An image of a page is enough: <img src="http://127.0.0.1:8188//">.
  attack('end ftl dev by an address that no URL can have', async () => {
    const port = portOf(simulator)
    const host = `Host: 127.0.0.1:${port}`
    for (const path of ['//', '///', '//[', '/\\', '*', 'http://[', 'http://a:b:c/']) {
      expect([400, 404], path).toContain(await statusOf(port, `GET ${path} HTTP/1.1`, host))
      const head = [`GET ${path} HTTP/1.1`, host, ...asSocket()]
      expect([400, 404], path).toContain(await statusOf(port, ...head))
    }
    await answers()
    return '400 or 404'
  })

  attack('end ftl dev by a socket that is cut while it is refused', async () => {
    const port = portOf(simulator)
    for (let i = 0; i < 50; i++) {
      const client = new RawClient(port)
      await new Promise((done) => client.socket.once('connect', done))
      const head = [`Host: 127.0.0.1:${port}`, 'Origin: https://evil.example', ...asSocket()]
      client.send('GET /ws HTTP/1.1', ...head, '', 'x'.repeat(100_000))
      client.socket.resetAndDestroy()
    }
    await answers()
    return 'the connection alone ends'
  })

  attack('end ftl dev by a file name that no header can have', async () => {
    const names = ['\u4e2d.png', 'a"b.png', 'a\u0001b.png']
    for (const name of names) {
      const form = new FormData()
      form.set('image', new File([new Uint8Array([1])], name))
      const { status } = await fetch(`${simulator.url}/upload/image`, {
        method: 'POST',
        body: form,
      })
      expect(status, name).toBe(200)
      const shown = await fetch(
        `${simulator.url}/view?type=input&filename=${encodeURIComponent(name)}`,
      )
      expect(shown.status, name).toBe(200)
    }
    await answers()
    return 'an answer'
  })

  attack('read queue, history and pictures by DNS rebinding', async () => {
    const port = portOf(simulator)
    for (const name of [
      'evil.example',
      `evil.example:${port}`,
      '127.0.0.1.nip.io',
      'localhost.evil.example',
    ]) {
      for (const head of [[], [`Origin: http://${name}`], ['Sec-Fetch-Site: same-origin']]) {
        for (const path of ['/queue', '/history', '/simulator/faults']) {
          const status = await statusOf(port, `GET ${path} HTTP/1.1`, `Host: ${name}`, ...head)
          expect(status, `${path} at ${name} ${head.join()}`).toBe(403)
        }
      }
      const socket = ['GET /ws HTTP/1.1', `Host: ${name}`, `Origin: http://${name}`, ...asSocket()]
      expect(await statusOf(port, ...socket), name).toBe(403)
    }
    for (const name of ['localhost', `127.0.0.1:${port}`, `[::1]:${port}`, `LOCALHOST:${port}`]) {
      expect(await statusOf(port, 'GET /queue HTTP/1.1', `Host: ${name}`), name).toBe(200)
    }
    return '403: not at a name of this machine'
  })

  attack('upload a file, or change settings, as a page of another site', async () => {
    for (const origin of ['https://evil.example', 'null', 'http://localhost:1']) {
      for (const path of ['/upload/image', '/prompt', '/simulator/faults', '/interrupt']) {
        const init = { method: 'POST', body: '{}', headers: { origin } }
        expect((await fetch(simulator.url + path, init)).status, `${origin} ${path}`).toBe(403)
      }
    }
    return '403: not this origin'
  })

  attack('read or write a file outside of its folder by an upload', async () => {
    const secret = encode({ width: 1, height: 1, data: new Uint8Array([1, 2, 3]), channels: 3 })
    await mkdir(join(folder, 'state'), { recursive: true })
    await writeFile(join(folder, 'secret.png'), secret)
    await writeFile(join(folder, 'state', 'secret.png'), secret)
    const post = async (path: string, fields: Record<string, string>, name = 'mask.png') => {
      const form = new FormData()
      form.set('image', new File([new Uint8Array(secret)], name))
      for (const [key, value] of Object.entries(fields)) form.set(key, value)
      const response = await fetch(simulator.url + path, { method: 'POST', body: form })
      return response.status
    }
    const away = ['../..', '../../..', '..', 'input/../..', '../../../x/..']
    for (const up of away) {
      for (const reference of [
        { filename: 'secret.png', type: up },
        { filename: 'secret.png', subfolder: up, type: 'input' },
        { filename: 'secret.png', subfolder: up, type: 'output' },
      ]) {
        const fields = { original_ref: JSON.stringify(reference) }
        expect([400, 403, 500], JSON.stringify(reference)).toContain(
          await post('/upload/mask', fields),
        )
      }
      expect([400, 403, 500], up).toContain(await post('/upload/image', { subfolder: up }))
      // The server takes the last part of a name.
      await post('/upload/image', {}, `${up}/evil.png`)
      for (const query of [`subfolder=${up}`, `type=${up}`, `type=input&subfolder=a/${up}/..`]) {
        const { status } = await fetch(`${simulator.url}/view?filename=secret.png&${query}`)
        expect([400, 403, 404], query).toContain(status)
      }
    }
    expect((await readdir(folder)).sort()).toEqual(['secret.png', 'state'])
    expect((await readdir(join(folder, 'state'))).sort()).toEqual(['secret.png', 'simulator'])
    return 'a path stays in its area'
  })
})

describe('the demo model', () => {
  attack('talk to it as a page of another site, or by DNS rebinding', async () => {
    const port = portOf(model)
    const own = `Host: 127.0.0.1:${port}`
    for (const head of [
      ['Host: evil.example'],
      [`Host: evil.example:${port}`, `Origin: http://evil.example:${port}`],
      [own, 'Origin: https://evil.example'],
      [own, 'Origin: null'],
    ]) {
      expect(await statusOf(port, 'GET /v1/models HTTP/1.1', ...head), head.join()).toBe(403)
    }
    expect(await statusOf(port, 'GET /v1/models HTTP/1.1', own)).toBe(200)
    return '403'
  })

  attack('fill the memory of ftl dev with one body', async () => {
    const port = portOf(model)
    const client = new RawClient(port)
    const length = `Content-Length: ${2 ** 40}`
    client.send('POST /v1/chat/completions HTTP/1.1', `Host: 127.0.0.1:${port}`, length, '', '')
    expect(await client.status()).toBe(413)
    client.destroy()
    return '413'
  })
})
