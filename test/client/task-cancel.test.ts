// A call that its caller gives up ends the job it has started, down to ComfyUI.
import { Client } from 'ftl-client'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startWorld, type World } from '../jobs/world.ts'

let world: World
beforeAll(async () => (world = await startWorld({ renderSeconds: 60 })))
afterAll(() => world.close())

it('a picture that no client waits for any more is not painted', async () => {
  await using client = await Client.connect({ url: `${world.url}/mcp` })
  await client.initialize()
  const stop = new AbortController()
  const submitted = world.comfyui.submission()
  const call = client.callTool('generate_image', { prompt: 'A fox' }, { signal: stop.signal })
  const id = await submitted
  const status = async () =>
    ((await (await fetch(`${world.url}/jobs/${id}`)).json()) as { status: string }).status
  await expect.poll(() => running(world.comfyui.url), { timeout: 10_000 }).toContain(id)
  expect(await status()).toBe('working')
  stop.abort()
  await expect(call).rejects.toMatchObject({ kind: 'cancelled' })
  await expect.poll(() => running(world.comfyui.url), { timeout: 5000 }).not.toContain(id)
  expect(await status()).toBe('cancelled')
})

/** What ComfyUI works on, as its own interface tells it. */
async function running(url: string): Promise<string> {
  return JSON.stringify(await (await fetch(`${url}/api/queue`)).json())
}
