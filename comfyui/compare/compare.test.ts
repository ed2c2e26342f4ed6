import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { WebSocket, WebSocketServer } from 'ws'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { startSimulator, type Simulator } from '../simulator/index.ts'
import { Unusable } from './ask.ts'
import { compareServers, versionOf } from './compare.ts'

let simulator: Simulator
let other: Simulator
beforeAll(async () => {
  simulator = await startSimulator({ port: 0, renderSeconds: 0.05 })
  other = await startSimulator({ port: 0, renderSeconds: 0.05 })
})
afterAll(async () => {
  await simulator.close()
  await other.close()
})

const open: Server[] = []
afterEach(() => {
  for (const server of open.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

async function listen(
  listener: RequestListener,
  sockets?: (server: Server) => void,
): Promise<string> {
  const server = createServer(listener)
  sockets?.(server)
  open.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

interface Change {
  answer?: (path: string, answer: { status: number; headers: Headers; body: Buffer }) => void
  message?: (message: { type: string; data: Record<string, unknown> }) => unknown
}

/** The other simulator, with answers and messages that were changed on the way. */
function changed({ answer, message }: Change): Promise<string> {
  return listen(
    (request, response) => {
      void (async () => {
        const chunks: Buffer[] = []
        for await (const chunk of request) chunks.push(chunk as Buffer)
        const { host: _, connection: __, ...headers } = request.headers
        const forwarded = await fetch(other.url + request.url, {
          method: request.method ?? 'GET',
          headers: headers as Record<string, string>,
          ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
        })
        const copy = {
          status: forwarded.status,
          headers: new Headers(forwarded.headers),
          body: Buffer.from(await forwarded.bytes()),
        }
        answer?.(`${request.method} ${request.url}`, copy)
        copy.headers.delete('content-length')
        copy.headers.delete('transfer-encoding')
        response.writeHead(copy.status, Object.fromEntries(copy.headers)).end(copy.body)
      })()
    },
    (server) => {
      new WebSocketServer({ server }).on('connection', (socket, { url }) => {
        const upstream = new WebSocket(other.url.replace('http', 'ws') + url)
        upstream.on('message', (data: Buffer, isBinary) => {
          if (isBinary) return socket.send(data)
          const parsed = JSON.parse(data.toString()) as Parameters<
            NonNullable<Change['message']>
          >[0]
          const next = message ? message(parsed) : parsed
          if (next !== undefined) socket.send(JSON.stringify(next))
        })
        socket.on('close', () => upstream.close())
      })
    },
  )
}

interface KSampler {
  input: { required: { steps: [string, { default: number }] } }
}

function edit(body: Buffer, change: (value: Record<string, unknown>) => unknown): Buffer {
  const value = JSON.parse(body.toString()) as Record<string, unknown>
  change(value)
  return Buffer.from(JSON.stringify(value))
}

describe('comparing a server with the simulator', () => {
  it('finds nothing where the server is a simulator', async () => {
    const compared = await compareServers(await changed({}), simulator.url)
    expect(compared.differences).toEqual([])
    expect(compared.probes).toBeGreaterThan(60)
    expect(compared.skipped).toEqual([])
  })

  it.each<[string, Change, { probe: string | RegExp; field: RegExp }]>([
    [
      'a status',
      { answer: (path, one) => path.includes('/api/zzz') && (one.status = 410) },
      { probe: /unknown route/, field: /^status$/ },
    ],
    [
      'a header',
      {
        answer: (path, one) =>
          path.includes('range') ||
          (path.includes('/api/view?filename=ftl') && one.headers.delete('accept-ranges')),
      },
      { probe: /its file/, field: /^accept-ranges$/ },
    ],
    [
      'a default of a node',
      {
        answer: (path, one) =>
          path.endsWith('/KSampler') &&
          (one.body = edit(one.body, (value) => {
            const steps = value['KSampler'] as KSampler
            steps.input.required.steps[1].default = 21
          })),
      },
      { probe: 'node KSampler', field: /steps\[1\]\.default/ },
    ],
    [
      'a member that is missing',
      {
        answer: (path, one) =>
          path.includes('/api/jobs/') &&
          one.status === 200 &&
          (one.body = edit(one.body, (value) => delete value['outputs_count'])),
      },
      { probe: 'its job', field: /outputs_count/ },
    ],
    [
      'a member that is new',
      {
        answer: (path, one) =>
          path.endsWith('/api/features') &&
          (one.body = edit(one.body, (value) => Object.assign(value, { brand_new: true }))),
      },
      { probe: 'features', field: /brand_new/ },
    ],
    [
      'the words of an error',
      {
        answer: (path, one) =>
          path === 'POST /api/prompt' &&
          (one.body = Buffer.from(one.body.toString().replaceAll('Bad linked input', 'Bad link'))),
      },
      { probe: 'prompt: a malformed link', field: /message/ },
    ],
    [
      'a message that is missing',
      { message: (one) => (one.type === 'execution_cached' ? undefined : one) },
      { probe: 'a prompt', field: /./ },
    ],
    [
      'a member of a message',
      {
        message: (one) =>
          one.type === 'executing' ? { ...one, data: { ...one.data, extra: 1 } } : one,
      },
      { probe: 'a prompt', field: /extra/ },
    ],
  ])('finds %s', async (_, change, { probe, field }) => {
    const { differences } = await compareServers(await changed(change), simulator.url)
    const found = differences.find(
      (one) =>
        (typeof probe === 'string' ? one.probe === probe : probe.test(one.probe)) &&
        field.test(one.field),
    )
    expect(found, JSON.stringify(differences)).toBeDefined()
  })

  it('finds nothing either in a server that has other models, files and devices, or saved files before', async () => {
    const own = await startSimulator({
      ...{ port: 0, version: '0.3.64', renderSeconds: 0.05 },
      models: { checkpoints: ['a.safetensors', 'b.safetensors'], loras: [], upscale_models: [] },
    })
    const same = await startSimulator({ port: 0, version: '0.3.64', renderSeconds: 0.05 })
    try {
      await compareServers(own.url, same.url)
      const fresh = await startSimulator({ port: 0, version: '0.3.64', renderSeconds: 0.05 })
      const compared = await compareServers(own.url, fresh.url).finally(() => fresh.close())
      expect(compared.differences).toEqual([])
      expect(compared.skipped).toEqual([])
    } finally {
      await Promise.all([own.close(), same.close()])
    }
  })

  it('compares the kinds of what depends on the machine', async () => {
    const devices = (body: Buffer, change: (device: Record<string, unknown>) => void) =>
      edit(body, (value) => {
        const [device = {}] = value['devices'] as Record<string, unknown>[]
        change(device)
      })
    const answer =
      (change: (device: Record<string, unknown>) => void): Change['answer'] =>
      (path, one) => {
        if (path.endsWith('/system_stats')) one.body = devices(one.body, change)
      }
    const gpu = await changed({
      answer: answer((device) => Object.assign(device, { name: 'cuda:0 RTX', type: 'cuda' })),
    })
    expect((await compareServers(gpu, simulator.url)).differences).toEqual([])
    const odd = await changed({ answer: answer((device) => delete device['vram_total']) })
    const { differences } = await compareServers(odd, simulator.url)
    expect(differences).toMatchObject([{ probe: 'system_stats', field: '$.devices[0].vram_total' }])
  })

  it('runs nothing on a server where prompts are waiting', async () => {
    const paths: string[] = []
    const url = await changed({
      answer(path, one) {
        paths.push(path)
        if (path === 'GET /api/prompt')
          one.body = Buffer.from('{"exec_info":{"queue_remaining":3}}')
      },
    })
    const { skipped } = await compareServers(url, simulator.url)
    expect(skipped.join()).toContain('3 prompts are waiting')
    expect(paths.filter((path) => path.includes('upload') || path.includes('/interrupt'))).toEqual(
      [],
    )
  })

  it('touches no prompt but its own', async () => {
    const paths: string[] = []
    await compareServers(await changed({ answer: (path) => void paths.push(path) }), simulator.url)
    expect(
      paths.filter((path) => /interrupt|\/api\/free|POST \/api\/(?:queue|history)/.test(path)),
    ).toEqual([])
  })
})

describe('a server that is none', () => {
  const endless: RequestListener = (_, response) => {
    const more = () => {
      while (response.write('x'.repeat(65_536)));
    }
    response.on('drain', more)
    more()
  }
  it.each<[string, RequestListener, RegExp]>([
    ['sends a body without end', endless, /more than 8388608 bytes/],
    ['sends another document', (_, response) => response.end('<html>'), /is it a ComfyUI/],
    ['sends null', (_, response) => response.end('null'), /is it a ComfyUI/],
    [
      'redirects',
      (_, response) => response.writeHead(302, { location: 'http://169.254.169.254/' }).end(),
      /is it a ComfyUI/,
    ],
    ['closes the connection', (request) => request.socket.destroy(), /system_stats/],
  ])('ends with a reason when it %s', async (_, listener, words) => {
    const error: unknown = await versionOf(await listen(listener)).catch(
      (reason: unknown) => reason,
    )
    expect(error).toBeInstanceOf(Unusable)
    expect(String(error)).toMatch(words)
  })

  it('cannot exhaust the stack or the terminal', async () => {
    const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`
    const url = await changed({
      answer(path, one) {
        if (path.includes('/KSampler')) one.body = Buffer.from(deep)
        if (path.includes('/SaveImage')) one.headers.set('content-disposition', 'a\u009b2Jb')
      },
    })
    const { differences } = await compareServers(url, simulator.url)
    expect(differences.find(({ probe }) => probe === 'node KSampler')?.real).toContain(
      'nested too deeply',
    )
    expect(JSON.stringify(differences)).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/)
  })
})
