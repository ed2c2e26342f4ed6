import { encode } from 'fast-png'
import { type Simulator, startSimulator } from 'ftl-comfyui/simulator'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { machine, type MachineOptions, PNG, textOf, WORKFLOW } from './testing/machine.ts'

let one: Simulator
let two: Simulator
beforeAll(async () => {
  ;[one, two] = await Promise.all([
    startSimulator({ port: 0, renderSeconds: 0 }),
    startSimulator({ port: 0, renderSeconds: 0 }),
  ])
})
afterAll(() => Promise.all([one.close(), two.close()]))

const DOWN = 'http://127.0.0.1:1'

interface Options extends MachineOptions {
  /** `comfyui_url`. @default both */
  url?: string
  /** Answers in place of a server; `undefined`: it answers itself. */
  answer?: (url: URL, init?: RequestInit) => Response | undefined
}

function open({ url = `${one.url},${two.url}`, answer, variables, servers }: Options = {}) {
  return machine(url, {
    servers,
    variables: { comfyui_run_workflow: 'true', ...variables },
    network: async (input, init) => {
      return answer?.(new URL(new Request(input).url), init) ?? fetch(input, init)
    },
  })
}

const isOn = ({ origin }: URL, { url }: Simulator) => origin === url

/** Runs a workflow; gives the base URL of the server that got it. */
async function run(workflow: unknown, options?: Options) {
  const on = open(options)
  const { id } = await on.start('run_workflow', { workflow })
  await expect.poll(async () => (await on.look(id)).status, { timeout: 8000 }).not.toBe('working')
  const prompts = on.sent.filter((line) => line.startsWith('POST') && line.endsWith('/prompt'))
  const server = prompts.map((line) => new URL(line.slice(5)).origin)
  return { record: await on.look(id), server }
}

const image = `data:image/png;base64,${Buffer.from(PNG).toString('base64')}`
const square = (input: object = WORKFLOW['1'].inputs) => ({
  ...WORKFLOW,
  '1': { class_type: 'EmptyImage', inputs: input },
})

describe('upload_image', () => {
  const uploadsIn = (asked: string[]) =>
    asked.filter((line) => line.endsWith('/upload/image')).map((line) => new URL(line.slice(5)))

  /** All get it at the same time, so any of them can be the first. */
  const serversIn = (asked: string[]) =>
    uploadsIn(asked)
      .map(({ origin }) => origin)
      .toSorted()

  it('uploads to every server', async () => {
    const on = open()
    const { structuredContent } = await on.call('upload_image', { image })
    expect(structuredContent).not.toHaveProperty('missing')
    expect(serversIn(on.sent)).toEqual([one.url, two.url].toSorted())
  })

  it('succeeds if a server is down, and says which does not have the image', async () => {
    const on = open({ url: `${DOWN},${two.url}` })
    const result = await on.call('upload_image', { image })
    expect(result.structuredContent).toMatchObject({ missing: [1], width: 4 })
    expect(textOf(result)).toMatch(/Server 1 does not have it: The ComfyUI server could not/)
    expect((await open({ url: DOWN }).call('upload_image', { image })).isError).toBe(true)
  })

  it('also uploads to the server of the workflow tools, which servers.json does not name', async () => {
    const on = open({ servers: [{ name: 'gpu1', url: one.url }], url: `${two.url}/` })
    await on.call('upload_image', { image })
    expect(serversIn(on.sent)).toEqual([one.url, two.url].toSorted())
    const same = open({ servers: [{ name: 'gpu1', url: one.url }], url: `${one.url}/` })
    await same.call('upload_image', { image })
    expect(uploadsIn(same.sent)).toHaveLength(1)
  })

  it('reads at most 10 MB of an image, and refuses a bomb', async () => {
    let sent = 0
    const endless = () =>
      new ReadableStream({
        pull(controller) {
          sent += 65_536
          controller.enqueue(new Uint8Array(65_536))
        },
      })
    const bomb = Uint8Array.from(PNG)
    new DataView(bomb.buffer).setUint32(16, 65_000)
    new DataView(bomb.buffer).setUint32(20, 65_000)
    const variables = { image_hosts: 'images.example' }
    const source = { image: 'https://images.example/a.png' }
    for (const [body, message] of [
      [endless(), /image: it is larger than 10 MB/],
      [bomb, /image: it of 65000 x 65000 pixels is too large/],
    ] as const) {
      const on = open({ variables, answer: () => new Response(body) })
      expect(textOf(await on.call('upload_image', source))).toMatch(message)
      expect(uploadsIn(on.sent)).toEqual([])
    }
    expect(sent).toBeLessThan(12 * 1024 * 1024)
    const long = { image: `data:image/png;base64,${'A'.repeat(100 * 1024 * 1024)}` }
    const on = open()
    expect((await on.call('upload_image', long)).isError).toBe(true)
    expect(on.asked).toEqual([])
  })
})

describe('run_workflow', () => {
  const loadOf =
    (server: () => Simulator, queue_remaining: number) => (url: URL, init?: RequestInit) =>
      isOn(url, server()) && url.pathname === '/api/prompt' && (init?.method ?? 'GET') === 'GET'
        ? Response.json({ exec_info: { queue_remaining } })
        : undefined

  it('runs on the least busy server', async () => {
    const { record, server } = await run(square(), { answer: loadOf(() => one, 5) })
    expect([record.status, ...server]).toEqual(['completed', two.url])
    const other = await run(square(), { answer: loadOf(() => two, 5) })
    expect(other.server).toEqual([one.url])
  })

  it('runs on the server that has its nodes', async () => {
    const answer = (url: URL) =>
      isOn(url, one) && url.pathname === '/api/object_info/EmptyImage'
        ? Response.json({})
        : undefined
    const { record, server } = await run(square(), { answer })
    expect([record.status, ...server]).toEqual(['completed', two.url])
  })

  const copy = (name: string) => ({
    '1': { class_type: 'LoadImage', inputs: { image: name } },
    '2': { class_type: 'SaveImage', inputs: { images: ['1', 0], filename_prefix: 'x' } },
  })

  it('runs on the server that has its upload', async () => {
    const data = new Uint8Array(36).fill(7)
    const other = encode({ width: 4, height: 3, data, channels: 3 })
    const source = { image: `data:image/png;base64,${Buffer.from(other).toString('base64')}` }
    // The first server was down when the image was uploaded.
    const uploaded = await open({ url: `${DOWN},${two.url}` }).call('upload_image', source)
    const { name } = uploaded.structuredContent as { name: string }
    const { record, server } = await run(copy(name))
    expect([record.status, ...server]).toEqual(['completed', two.url])
  })

  it('says that an upload is on no server', async () => {
    const workflow = copy(`mcp/${'0'.repeat(32)}.png`)
    const text = textOf(await open().call('run_workflow', { workflow }))
    expect(text).toContain('none of 2 servers can run it. Server 1:')
    expect(text).toContain('is missing; upload it again')
  })

  it('names the problems of the server that has the fewest', async () => {
    const answer = (url: URL) =>
      isOn(url, one) && url.pathname.startsWith('/api/object_info/') ? Response.json({}) : undefined
    const workflow = square({ width: 0, height: 8, batch_size: 1, color: 255 })
    const on = open({ answer })
    const text = textOf(await on.call('run_workflow', { workflow }))
    expect(text).toContain('none of 2 servers can run it. Server 2:')
    expect(text).toContain('"width" of node "1" (EmptyImage) is smaller than 1')
    expect(on.sent.filter((line) => line.startsWith('POST'))).toEqual([])
  })

  it('skips a server whose queue is full, and fails when all are', async () => {
    const servers = [
      { name: 'gpu1', url: one.url, maxQueue: 1 },
      { name: 'gpu2', url: two.url, maxQueue: 1 },
    ]
    const busy = loadOf(() => one, 1)
    const { server } = await run(square(), { servers, answer: busy })
    expect(server).toEqual([two.url])
    const full = (url: URL, init?: RequestInit) =>
      busy(url, init) ?? loadOf(() => two, 1)(url, init)
    const { record, server: sent } = await run(square(), { servers, answer: full })
    expect(record).toMatchObject({ status: 'failed' })
    expect(JSON.stringify(record)).toContain('queue_full')
    expect(sent).toEqual([])
  })

  it('fails in words when no server answers', async () => {
    const on = open({ url: `${DOWN},${DOWN}0` })
    const result = await on.call('run_workflow', { workflow: square() })
    expect(textOf(result)).toContain('The ComfyUI server could not be reached.')
  })
})
