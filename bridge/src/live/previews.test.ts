// Previews of a running job, through a real workerd to real sockets.
import { readFile } from 'node:fs/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { sleep } from '../testing/gateway-stand-in.ts'
import { previews, startWatching, steps, type Watching } from '../testing/watching.ts'

let world: Watching

beforeAll(async () => {
  world = await startWatching()
})
afterAll(() => world.close())
beforeEach(() => world.gateway.healthy())
afterEach(() => world.leave())

describe('previews', () => {
  const picture = Buffer.from('ffd8ffe0 a preview')

  it('come only to who asks for them, numbered', async () => {
    const { id } = world.gateway.working()
    const asking = await world.watch(`${id}?previews=1`)
    const other = await world.watch(`${id}?progress=1`)
    world.servers[0].preview(picture, id)
    await expect.poll(() => previews(asking).length).toBe(1)
    world.servers[0].preview(picture, id)
    await expect.poll(() => previews(asking).length).toBe(2)
    expect(previews(asking)).toEqual(
      [1, 2].map((seq) => ({
        stream_id: id,
        mimeType: 'image/jpeg',
        data: picture.toString('base64'),
        seq,
      })),
    )
    expect(previews(other)).toEqual([])
    expect(steps(asking)).toEqual([])
    const late = await world.watch(`${id}?previews=1`)
    await expect.poll(() => previews(late)).toEqual([previews(asking)[1]])
  })

  it('of other jobs, without a job, and too big ones are dropped', async () => {
    const { id } = world.gateway.working()
    const asking = await world.watch(`${id}?previews=1`)
    world.servers[0].preview(Buffer.from('of another'), crypto.randomUUID())
    world.servers[0].preview(Buffer.from('of nobody'))
    world.servers[0].preview(Buffer.alloc(262_145, 1), id)
    await sleep(400)
    world.servers[0].preview(Buffer.alloc(262_144, 2), id)
    await expect.poll(() => previews(asking).length).toBe(1)
    expect(Buffer.from(previews(asking)[0]?.data ?? '', 'base64')).toEqual(Buffer.alloc(262_144, 2))
  })

  it('come as a real server was recorded to send them', async () => {
    const file = new URL('../../../test/fixtures/recordings/0.33.0.json', import.meta.url)
    const { entries } = JSON.parse(await readFile(file, 'utf8')) as {
      entries: { name: string; promptId: string; messages: Recorded[] }[]
    }
    const run = entries.find(({ name }) => name === 'slow with previews and progress: websocket')
    if (!run) throw new Error('the recording is not there')
    world.gateway.working({ id: run.promptId })
    const asking = await world.watch(`${run.promptId}?progress=1&previews=1`)
    const images: string[] = []
    let sentAt = run.messages[0]?.t ?? 0
    for (const { t, json, binaryBase64 } of run.messages) {
      await sleep((t - sentAt) * 1000)
      sentAt = t
      world.servers[0].send(json ? JSON.stringify(json) : Buffer.from(binaryBase64 ?? '', 'base64'))
      if (binaryBase64) images.push(binaryBase64)
    }
    // The test node of the recording has six steps; the node after it has none, and is reported last.
    await expect.poll(() => steps(asking).at(-1)?.node).toBe(lastNode(run.messages))
    const counted = steps(asking).flatMap(({ total, progress }) => (total === 6 ? [progress] : []))
    expect(counted.length).toBeGreaterThan(1)
    expect(counted).toEqual(counted.toSorted((a, b) => Number(a) - Number(b)))
    expect(previews(asking).length).toBeGreaterThan(1)
    for (const { data, mimeType } of previews(asking)) {
      expect(mimeType).toBe('image/jpeg')
      const jpeg = Buffer.from(data ?? '', 'base64')
      expect(jpeg.subarray(0, 3).toString('hex')).toBe('ffd8ff')
      expect(images.some((frame) => Buffer.from(frame, 'base64').includes(jpeg))).toBe(true)
    }
  })
})

interface Recorded {
  /** Seconds. */
  t: number
  json?: { type: string; data: { node?: string | null } }
  binaryBase64?: string
}

function lastNode(messages: Recorded[]): string | undefined {
  const nodes = messages.flatMap(({ json }) => (json?.type === 'executing' ? json.data.node : []))
  return nodes.findLast((node) => typeof node === 'string') ?? undefined
}
