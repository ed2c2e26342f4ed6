// Videos and sounds that a job made, played by a real browser from where the gateway serves them.
import { type Simulator, startSimulator } from 'ftl-comfyui/simulator'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { CANNOT_RUN, startWorkflows, type WorkflowApplication } from '../workflows/application.ts'
import { violations } from './axe.ts'
import { findChromium, launch } from './browser.ts'
import { watch } from './watch.ts'

const found = findChromium()
const skip = it.skipIf(CANNOT_RUN || !('path' in found))
const SECONDS = 90
const RATE = 48_000

let simulator: Simulator
let app: WorkflowApplication
let browser: Browser
let page: Page
const problems: string[] = []
beforeAll(async () => {
  if (CANNOT_RUN || !('path' in found)) return
  simulator = await startSimulator({ port: 0, renderSeconds: 0 })
  const variables = { tool_components: 'comfyui,workflows' }
  app = await startWorkflows({ comfyui: { url: simulator.url }, variables })
  const field = (name: string, attribute: string) => [
    { name, type: name, required: true, mapping: { node: '1', attribute } },
  ]
  await app.put('workflows/clip.json', {
    '1': { class_type: 'LoadVideo', inputs: { file: 'none.webm' } },
    '2': {
      class_type: 'SaveVideo',
      inputs: { video: ['1', 0], filename_prefix: 'clip', format: 'auto', codec: 'auto' },
    },
  })
  await app.put('config/clip.json', [{ name: 'clip', fields: field('video', 'file') }])
  await app.put('workflows/sound.json', {
    '1': { class_type: 'LoadAudio', inputs: { audio: 'none.wav' } },
    '2': { class_type: 'SaveAudio', inputs: { audio: ['1', 0], filename_prefix: 'sound' } },
  })
  await app.put('config/sound.json', [{ name: 'sound', fields: field('audio', 'audio') }])
  browser = await launch(found.path)
  page = await browser.newPage()
  watch(page, problems)
  await page.goto(app.url)
})
afterAll(async () => {
  await browser?.close()
  await app?.close()
  await simulator?.close()
})

/** Silence of a minute and a half, which is more than a browser loads at once. */
function wav(): Buffer<ArrayBuffer> {
  const bytes = Buffer.alloc(44 + SECONDS * RATE * 2)
  bytes.write('RIFF', 0)
  bytes.writeUInt32LE(bytes.length - 8, 4)
  bytes.write('WAVEfmt ', 8)
  bytes.writeUInt32LE(16, 16)
  bytes.writeUInt16LE(1, 20)
  bytes.writeUInt16LE(1, 22)
  bytes.writeUInt32LE(RATE, 24)
  bytes.writeUInt32LE(RATE * 2, 28)
  bytes.writeUInt16LE(2, 32)
  bytes.writeUInt16LE(16, 34)
  bytes.write('data', 36)
  bytes.writeUInt32LE(bytes.length - 44, 40)
  return bytes
}

/** A short video of a canvas, as the browser itself records it. */
async function webm(): Promise<Buffer<ArrayBuffer>> {
  const base64 = await page.evaluate(async () => {
    const canvas = document.createElement('canvas')
    canvas.width = canvas.height = 64
    const context = canvas.getContext('2d')
    const stream = canvas.captureStream(30)
    const recorder = new MediaRecorder(stream, { mimeType: 'video/webm' })
    const parts: Blob[] = []
    recorder.ondataavailable = ({ data }) => parts.push(data)
    const stopped = new Promise((resolve) => (recorder.onstop = resolve))
    recorder.start()
    for (let frame = 0; frame < 30; frame++) {
      if (context) context.fillStyle = `hsl(${frame * 12} 80% 50%)`
      context?.fillRect(0, 0, 64, 64)
      await new Promise(requestAnimationFrame)
    }
    recorder.stop()
    await stopped
    const bytes = new Uint8Array(await new Blob(parts).arrayBuffer())
    return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
  })
  return Buffer.from(base64, 'base64')
}

async function run(tool: string, argument: string, bytes: Buffer<ArrayBuffer>, on = page) {
  const response = await fetch(`${app.url}/uploads`, { method: 'POST', body: bytes })
  const { uri } = (await response.json()) as { uri: string }
  const args = encodeURIComponent(JSON.stringify({ [argument]: uri }))
  await on.goto(`${app.url}/#/tools/${tool}?args=${args}`)
  const pane = on.getByRole('article', { name: tool })
  await pane.getByRole('button', { name: 'Run', exact: true }).click()
  return pane
}

skip('a sound is played, and the browser loads the part that the user seeks', async () => {
  const pane = await run('sound', 'audio', wav())
  const audio = pane.locator('audio')
  await audio.waitFor()
  const asked: string[] = []
  page.on('request', (request) => {
    const { range } = request.headers()
    if (range !== undefined) asked.push(range)
  })
  const at = await audio.evaluate(async (element: HTMLAudioElement, seconds) => {
    if (element.readyState < 1) {
      await new Promise((resolve) => element.addEventListener('loadedmetadata', resolve))
    }
    const sought = new Promise((resolve) => element.addEventListener('seeked', resolve))
    element.currentTime = seconds
    await sought
    return { at: element.currentTime, until: element.duration }
  }, SECONDS - 5)
  expect(at.at).toBeCloseTo(SECONDS - 5, 0)
  expect(at.until).toBeCloseTo(SECONDS, 0)
  // It has not loaded all before.
  const starts = asked.map((range) => Number(/^bytes=(\d+)-/.exec(range)?.[1]))
  expect(Math.max(...starts)).toBeGreaterThan((SECONDS / 2) * RATE * 2)
  expect(await audio.getAttribute('aria-label')).toMatch(/^[0-9a-f-]+\.flac$/)
  await pane.getByRole('link', { name: /\(audio\/flac, 8\.6 MB\)/ }).waitFor()
  expect(await violations(page)).toEqual([])
  expect(problems).toEqual([])
})

skip('nothing of a file is requested before it comes into view', async () => {
  const own = await browser.newPage()
  watch(own, problems)
  // A result that is always out of view, until the test says otherwise.
  await own.addInitScript(() => {
    const Original = IntersectionObserver
    const waiting: (() => void)[] = []
    Object.assign(window, {
      showAll: () => waiting.splice(0).forEach((show) => show()),
      IntersectionObserver: class extends Original {
        override observe(element: Element) {
          waiting.push(() => super.observe(element))
        }
      },
    })
  })
  const asked: string[] = []
  own.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname.startsWith('/outputs/')) asked.push(request.method())
  })
  const pane = await run('sound', 'audio', wav(), own)
  await pane.locator('audio').waitFor()
  // The size of the file would be in the link.
  await pane.getByRole('link', { name: /\(audio\/flac\)/ }).waitFor()
  expect(asked).toEqual([])
  await own.evaluate('showAll()')
  await pane.getByRole('link', { name: /\(audio\/flac, 8\.6 MB\)/ }).waitFor()
  await expect.poll(() => [...new Set(asked)].sort()).toEqual(['GET', 'HEAD'])
  await own.close()
  expect(problems).toEqual([])
})

skip('a video is shown with its first frame, and plays', async () => {
  const pane = await run('clip', 'video', await webm())
  const video = pane.locator('video')
  await video.waitFor()
  const seen = await video.evaluate(async (element: HTMLVideoElement) => {
    element.muted = true
    await element.play()
    if (!element.ended) await new Promise((resolve) => element.addEventListener('ended', resolve))
    return [element.videoWidth, element.videoHeight]
  })
  expect(seen).toEqual([64, 64])
  await pane.getByRole('link', { name: /\(video\/webm, .*(bytes|KB)\)/ }).waitFor()
  expect(problems).toEqual([])
})

skip('a file that the browser cannot play is said to be one, with its link', async () => {
  const pane = await run(
    'clip',
    'video',
    Buffer.from('\0\0\0\x18ftypisom\0\0\x02\0isommp41', 'latin1'),
  )
  await pane.getByText('the browser cannot play this file').waitFor()
  await pane.getByRole('link', { name: /\(video\/mp4, 24 bytes\)/ }).waitFor()
})
