// A real minute: longer than the gateway waits for a job by default, and than official clients wait without progress.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { connectV2 } from '../contract/clients/sdk-clients.ts'
import { startWorld, type World } from './world.ts'

const RENDER_SECONDS = 60

let world: World
beforeAll(async () => {
  world = await startWorld({ renderSeconds: RENDER_SECONDS })
})
afterAll(() => world?.close())

it('an official client that shows progress gets the picture of a rendering of 60 s', async () => {
  const { client, call } = await connectV2('auto')(`${world.url}/mcp`)
  try {
    await client.listTools()
    const started = performance.now()
    let reports = 0
    const { content } = await call(
      'generate_image',
      { prompt: 'a lighthouse' },
      {
        onprogress: () => reports++,
      },
    )
    expect(performance.now() - started).toBeGreaterThan(RENDER_SECONDS * 1000 * 0.9)
    expect(JSON.stringify(content)).toMatch(/\/outputs\/[0-9a-f-]{36}\.png/)
    expect(reports).toBeGreaterThan(10)
  } finally {
    await client.close()
  }
}, 120_000)
