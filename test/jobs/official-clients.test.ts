// Official clients that have listed the tools check every result against the tool's outputSchema. A rendering that
// takes longer than the gateway waits must not be an error there.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Connect, connectV1, connectV2 } from '../contract/clients/sdk-clients.ts'
import { startWorld, type World } from './world.ts'

/** Clients of 2026-07-28 get the picture in the result, too; those of 2025-11-25 only its link. */
const LINK = ['text', 'resource_link']
const PICTURE = [...LINK, 'image']
/**
 * The simulator sends its PNG where ComfyUI sends a much smaller WebP. With these seeds it is small enough to be shown:
 * 116 to 131 of 150 KB. Each way has its own, because the same seed would not be rendered twice.
 */
const WAYS: [way: string, connect: Connect, types: string[], seed: number][] = [
  ['SDK v1', connectV1, LINK, 10],
  ['SDK v2 as it comes', connectV2(), LINK, 2],
  ['SDK v2 that looks for the newest revision', connectV2('auto'), PICTURE, 12],
  ['SDK v2 pinned', connectV2({ pin: '2026-07-28' }), PICTURE, 8],
]
const typesOf = (content: unknown) => (content as { type: string }[]).map(({ type }) => type)

let world: World
beforeAll(async () => {
  world = await startWorld({ renderSeconds: 2, variables: { wait_limit_ms: '300' } })
})
afterAll(() => world?.close())

it.each(WAYS)(
  '%s gets the handle of a long rendering, and then its picture',
  async (_, connect) => {
    const { client, call } = await connect(`${world.url}/mcp`)
    try {
      const { tools } = await client.listTools()
      expect(tools.map(({ name }) => name)).toContain('generate_image')
      const given = await call('generate_image', { prompt: 'a lighthouse' })
      expect(given.isError).toBeFalsy()
      const [, id] = /This is job ([0-9a-f-]{36})/.exec(JSON.stringify(given.content)) ?? []
      expect(id).toBeDefined()
      const ending = async () => JSON.stringify((await call('get_job', { job_id: id })).content)
      await expect.poll(ending, { timeout: 15_000, interval: 300 }).toContain(`/outputs/${id}.png`)
    } finally {
      await client.close()
    }
  },
)

it.each(WAYS)(
  '%s that shows progress gets the picture of a long rendering in one call',
  async (_, connect, types, seed) => {
    const { client, call } = await connect(`${world.url}/mcp`)
    try {
      await client.listTools()
      const seen: number[] = []
      const { content, isError } = await call(
        'generate_image',
        { prompt: 'a lighthouse', seed },
        {
          onprogress: ({ progress }) => seen.push(progress),
        },
      )
      expect(isError).toBeFalsy()
      expect(typesOf(content)).toEqual(types)
      expect(JSON.stringify(content)).toMatch(/\/outputs\/[0-9a-f-]{36}\.png/)
      expect(seen.length).toBeGreaterThan(1)
      expect(seen).toEqual([...seen].sort((a, b) => a - b))
    } finally {
      await client.close()
    }
  },
)
