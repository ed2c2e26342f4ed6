import { type Simulator, startSimulator } from 'ftl-comfyui/simulator'
import type { JobRecord } from 'ftl-contract'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { look, machine, start, statusOf } from './testing/machine.ts'

let simulator: Simulator
beforeAll(async () => {
  simulator = await startSimulator({ port: 0, renderSeconds: 0 })
})
afterAll(() => simulator.close())

/** As a recorded server encoded a picture again for `preview=webp;80`. */
const WEBP = Buffer.from(
  'UklGRmIAAABXRUJQVlA4IFYAAACwBgCdASqAAIAAPm02mUmkIyKhIIgAgA2JaW7hdJlwAAE9tiLxBUc9sReIKjntiLxBUc9sReIKjntiLxBNgAD+9On//5sD9vPt55C//ieLt4YAAAAAAA==',
  'base64',
)
const BUDGET = 150_000

/** @param size bytes of the preview with a quality. */
async function render(
  args: Record<string, unknown>,
  view: (quality: number) => Response | Promise<Response>,
  variables: Record<string, string> = {},
  headers: Record<string, string> = {},
): Promise<{ record: JobRecord; asked: number[] }> {
  const asked: number[] = []
  const on = machine(simulator.url, {
    variables,
    fetch: (input, init) => {
      const url = new URL(new Request(input).url)
      const preview = url.searchParams.get('preview')
      if (preview === null) return fetch(input, init)
      const [, quality] = /^webp;(\d+)$/.exec(preview) ?? []
      asked.push(Number(quality))
      return Promise.resolve(view(Number(quality)))
    },
  })
  const { id } = await start(on, { prompt: 'a fox', ...args }, headers)
  // Not by `expect.poll`, which knows one test at a time.
  // Seven pictures are drawn at the same time, and a busy machine takes seconds for each.
  await vi.waitFor(async () => expect(await statusOf(on, id)()).toBe('completed'), 25_000)
  return { record: await look(on, id), asked }
}

/** A picture with so many bytes. */
const sized = (bytes: number) => () =>
  new Response(Buffer.concat([WEBP, Buffer.alloc(bytes - WEBP.length)]))

const imagesOf = ({ result }: JobRecord) =>
  (result?.content ?? []).flatMap((item) => (item.type === 'image' ? String(item.data) : []))

const APPS = JSON.stringify({ extensions: { 'io.modelcontextprotocol/ui': {} } })
const client = (protocol: string, capabilities = '{}') => ({
  'ftl-client-protocol': protocol,
  'ftl-client-capabilities': capabilities,
})

describe('without an argument', () => {
  it.each([
    ['a plain caller gets links', {}, 0],
    ['a client of 2024-11-05, which has no links, gets the picture', client('2024-11-05'), 1],
    ['a client of 2025-03-26, which has no links, gets the picture', client('2025-03-26'), 1],
    ['a client of 2025-06-18 gets links', client('2025-06-18'), 0],
    ['a client of 2025-11-25 gets links', client('2025-11-25'), 0],
    ['a client of 2026-07-28 gets the picture', client('2026-07-28'), 1],
    ['a client of 2026-07-28 that shows the viewer gets links', client('2026-07-28', APPS), 0],
  ])('%s', async (_, headers, count) => {
    for (const variables of [{}, { inline_images: 'auto' }] as Record<string, string>[]) {
      const { record, asked } = await render({}, sized(1000), variables, headers)
      expect([imagesOf(record).length, asked.length]).toEqual([count, count])
    }
  })

  it('the operator decides for all', async () => {
    const modern = client('2026-07-28')
    const off = await render({}, sized(1000), { inline_images: 'false' }, modern)
    expect(imagesOf(off.record)).toEqual([])
    const odd = await render({}, sized(1000), { inline_images: 'never' }, modern)
    expect(imagesOf(odd.record)).toEqual([])
    const on = await render({}, sized(1000), { inline_images: 'true' }, client('2025-11-25'))
    expect(imagesOf(on.record)).toHaveLength(1)
  })
})

describe('a result', () => {
  it('has the picture if the call wants it, whatever the client and the operator', async () => {
    const variables = { inline_images: 'false' }
    const asked = await render({ inline_images: true }, sized(1000), variables)
    expect(imagesOf(asked.record)).toHaveLength(1)
    const modern = client('2026-07-28')
    const refused = await render({ inline_images: false }, sized(1000), {}, modern)
    expect([imagesOf(refused.record), refused.asked]).toEqual([[], []])
  })

  it('has no picture unless the call or the operator wants it', async () => {
    const { record, asked } = await render({}, sized(1000))
    expect([imagesOf(record), asked]).toEqual([[], []])
    const off = await render({ inline_images: false }, sized(1000), { inline_images: 'true' })
    expect(imagesOf(off.record)).toEqual([])
    const on = await render({}, sized(1000), { inline_images: 'true' })
    expect(imagesOf(on.record)).toHaveLength(1)
  })

  it('has the picture as the server encoded it, after the link', async () => {
    const { record } = await render({ inline_images: true }, sized(WEBP.length))
    const { content = [] } = record.result ?? {}
    expect(content.map(({ type }) => type)).toEqual(['text', 'resource_link', 'image'])
    expect(content[2]).toMatchObject({ mimeType: 'image/webp', data: WEBP.toString('base64') })
  })

  it('has it in a lower quality if it is too large, and never beyond the budget', async () => {
    const view = (quality: number) => sized(quality > 30 ? BUDGET + 1 : BUDGET)()
    const { record, asked } = await render({ inline_images: true }, view)
    expect(asked).toEqual([75, 40, 10])
    expect(Buffer.from(imagesOf(record)[0] ?? '', 'base64')).toHaveLength(BUDGET)
  })

  it('shares the budget between its pictures', async () => {
    const { record } = await render({ inline_images: true, variations: 4 }, (quality) =>
      sized(quality > 30 ? 60_000 : 30_000)(),
    )
    const bytes = imagesOf(record).map((data) => Buffer.from(data, 'base64').length)
    expect(bytes).toEqual([30_000, 30_000, 30_000, 30_000])
  })

  // Two of them wait for seconds.
  it.concurrent.each([
    ['that is always too large', sized(BUDGET + 1)],
    ['of a server that no longer has it', () => new Response(null, { status: 404 })],
    ['that is a page', () => new Response('<html>')],
    ['that never begins', () => new Promise<Response>(() => {})],
    [
      'that stops in the middle',
      () => new Response(new ReadableStream({ start: (c) => c.enqueue(WEBP) })),
    ],
    ['that does not arrive', () => Promise.reject(new TypeError('closed'))],
    [
      'that does not end',
      () => new Response(new ReadableStream({ pull: (c) => c.enqueue(new Uint8Array(65536)) })),
    ],
  ])('is complete without a picture %s', async (_, view) => {
    const { record } = await render({ inline_images: true }, view)
    expect(imagesOf(record)).toEqual([])
    expect(record.result?.structuredContent).toHaveProperty('images')
    expect(JSON.stringify(record.result?.content)).toContain('1 of 1 pictures could not be shown')
  })
})
