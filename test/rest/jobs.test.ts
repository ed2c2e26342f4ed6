// A slow tool over plain HTTP: the real image tool, with a ComfyUI that draws small pictures.
import { writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { startSimulator } from 'ftl-comfyui/simulator'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApplication, type TestApplication } from '../support/application.ts'
import { type TinyApplication, tinyApplication } from '../jobs/tiny.ts'
import { ask, LINES, linesOf, posting } from './application.ts'
import { embeddedOnly } from '../support/embedded-only.ts'

const BODY = { tool: 'generate_image', params: { prompt: 'a dragon' } }
const NOW = { prefer: 'respond-async' }
/** Nothing else has to be built. */
const ALONE = { tool_components: 'generate-image' }
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

describe(
  'POST /invoke of a tool that starts a job',
  embeddedOnly('starts a ComfyUI of its own'),
  () => {
    let tiny: TinyApplication
    let application: TestApplication
    let invoke = ''
    beforeAll(async () => {
      tiny = await tinyApplication()
      application = await startApplication({ manifest: tiny.manifest, variables: ALONE })
      invoke = `${application.url}/invoke`
    })
    afterAll(async () => {
      await application.close()
      await tiny.remove()
    })

    it('waits for the picture', async () => {
      const { status, body } = await ask(invoke, BODY)
      expect(status).toBe(200)
      const link = (body['content'] as { type: string; uri?: string }[]).find(
        ({ type }) => type === 'resource_link',
      )
      const picture = await fetch(link?.uri ?? '')
      expect(picture.headers.get('content-type')).toBe('image/png')
    })

    it('answers at once where the client asks for that, and says where to look', async () => {
      const { status, headers, body } = await ask(invoke, BODY, NOW)
      expect(status).toBe(202)
      expect(body['id']).toMatch(UUID)
      expect(headers.get('location')).toBe(`/jobs/${String(body['id'])}`)
      const job = new URL(headers.get('location') ?? '', application.url).href
      await expect
        .poll(async () => (await ask(job)).body['status'], { timeout: 20_000, interval: 250 })
        .toBe('completed')
    })

    it('waits as long as the client says', async () => {
      const began = performance.now()
      const { status } = await ask(`${invoke}?wait=0.2`, BODY)
      expect(status).toBe(202)
      // The picture alone takes a second.
      expect(performance.now() - began).toBeGreaterThan(200)
      expect((await ask(invoke, BODY, { prefer: 'wait=20' })).status).toBe(200)
    })

    it('starts nothing twice for one idempotency key', async () => {
      const headers = { ...NOW, 'idempotency-key': 'order-17' }
      const first = await ask(invoke, BODY, headers)
      const again = await ask(invoke, BODY, headers)
      expect(again.body['id']).toBe(first.body['id'])
    })

    it('tells line by line how it is getting on', async () => {
      const response = await fetch(invoke, posting(BODY, LINES))
      const lines = linesOf(await response.text())
      expect(lines.length).toBeGreaterThan(2)
      expect(lines.slice(0, -1).every(({ type }) => type === 'status')).toBe(true)
      const link = expect.objectContaining({ type: 'resource_link' }) as object
      const content = expect.arrayContaining([link]) as object[]
      expect(lines.at(-1)).toMatchObject({ type: 'result', response: { content } })
    })

    it('is 429 when every queue is full, and says when to come back', async () => {
      const slow = await startSimulator({ port: 0, renderSeconds: 30 })
      const alone = await tinyApplication()
      // The manifest lets the component reach what `comfyui_url` says.
      const full = await startApplication({
        manifest: alone.manifest,
        variables: { ...ALONE, comfyui_url: slow.url },
      })
      try {
        const servers = [{ name: 'only', url: slow.url, maxQueue: 1 }]
        await writeFile(
          join(dirname(alone.manifest), 'config', 'servers.json'),
          JSON.stringify({ servers }),
        )
        expect((await ask(`${full.url}/invoke`, BODY, NOW)).status).toBe(202)
        const { status, headers, body } = await ask(`${full.url}/invoke`, BODY)
        expect(status).toBe(429)
        expect(body['error']).toMatchObject({ code: 'queue_full', tool: 'generate_image' })
        expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
      } finally {
        await full.close()
        await alone.remove()
        await slow.close()
      }
    })
  },
)
