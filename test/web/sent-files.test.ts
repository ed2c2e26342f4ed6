// Files that are chosen in a form: small ones are written into the arguments, large ones are sent by themselves.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type DemoModel, startDemoModel } from '../../cli/src/demo-model/server.ts'
import { type Simulator, startSimulator } from 'ftl-comfyui/simulator'
import { encode } from 'fast-png'
import type { Browser, Page, Request } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { CANNOT_RUN, startWorkflows, type WorkflowApplication } from '../workflows/application.ts'
import { violations } from './axe.ts'
import { findChromium, launch } from './browser.ts'
import { watch } from './watch.ts'

const found = findChromium()
const skip = it.skipIf(CANNOT_RUN || !('path' in found))

let simulator: Simulator
let app: WorkflowApplication
let model: DemoModel
let browser: Browser
let page: Page
let folder: string
const problems: string[] = []

beforeAll(async () => {
  if (CANNOT_RUN || !('path' in found)) return
  simulator = await startSimulator({ port: 0, renderSeconds: 0 })
  model = await startDemoModel({ script: [{ turns: [{ content: 'Good day.' }] }], wordDelayMs: 0 })
  app = await startWorkflows({
    comfyui: { url: simulator.url },
    variables: {
      ...{ tool_components: 'comfyui,workflows,generate-image', upload_max_bytes: '9000000' },
      ...{ llm_url: model.url, llm_model: 'demo' },
    },
  })
  await app.put('workflows/sound.json', {
    '1': { class_type: 'LoadAudio', inputs: { audio: 'none.wav' } },
    '2': { class_type: 'SaveAudio', inputs: { audio: ['1', 0], filename_prefix: 'sound' } },
  })
  const mapping = { node: '1', attribute: 'audio' }
  await app.put('config/sound.json', [
    { name: 'sound', fields: [{ name: 'voice', type: 'audio', required: true, mapping }] },
  ])
  folder = await mkdtemp(join(tmpdir(), 'ftl-sent-files-'))
  browser = await launch(found.path)
})
afterAll(async () => {
  await browser?.close()
  await app?.close()
  await simulator?.close()
  await model?.close()
  if (folder) await rm(folder, { recursive: true, force: true })
})
beforeEach(async (test) => {
  if (CANNOT_RUN || !('path' in found)) return
  page = await browser.newPage()
  watch(page, problems)
  await page.goto(`${app.url}/#/tools/sound`)
  test.onTestFinished(() => page.close())
})

function wav(bytes: number): Buffer {
  const buffer = Buffer.alloc(bytes)
  buffer.write('RIFF', 0)
  buffer.writeUInt32LE(bytes - 8, 4)
  buffer.write('WAVEfmt ', 8)
  buffer.writeUInt32LE(16, 16)
  buffer.writeUInt16LE(1, 20)
  buffer.writeUInt16LE(1, 22)
  buffer.writeUInt32LE(8000, 24)
  buffer.writeUInt32LE(16_000, 28)
  buffer.writeUInt16LE(2, 32)
  buffer.writeUInt16LE(16, 34)
  buffer.write('data', 36)
  buffer.writeUInt32LE(bytes - 44, 40)
  return buffer
}

const pane = () => page.getByRole('article', { name: 'sound' })
async function choose(name: string, bytes: Buffer): Promise<void> {
  const path = join(folder, name)
  await writeFile(path, bytes)
  await pane().getByLabel('File for voice').setInputFiles(path)
}
const run = () => pane().getByRole('button', { name: 'Run', exact: true }).click()

/** Files and calls of the tool that the page sends. */
function calls(): Request[] {
  const sent: Request[] = []
  page.on('request', (request) => {
    const isCall = request.postData()?.includes('"voice"') === true
    if (request.url().includes('/uploads') || isCall) sent.push(request)
  })
  return sent
}

skip('a file of 8 MB is sent by itself, and the tool gets its address', async () => {
  const sent = calls()
  await choose('voice.wav', wav(8_000_000))
  await pane().getByText('A file of at most 9 MB').waitFor()
  await pane().getByText('voice.wav is on the server').waitFor()
  expect(await pane().getByRole('textbox', { name: 'voice' }).inputValue()).toMatch(/^\/uploads\//)
  expect(await violations(page)).toEqual([])
  await run()
  await pane().locator('audio').waitFor()
  const [upload, call, ...others] = sent
  expect(upload?.url()).toContain('/uploads?name=voice.wav')
  expect(call?.postData()).toContain('/uploads/')
  expect(call?.postData()?.length).toBeLessThan(1000)
  expect(others).toEqual([])
  expect(problems).toEqual([])
})

skip('a small file is written into the arguments', async () => {
  const sent = calls()
  await choose('short.wav', wav(20_000))
  await run()
  await pane().locator('audio').waitFor()
  expect(sent.map((request) => request.postData()?.includes('data:audio/wav;base64,'))).toEqual([
    true,
  ])
})

skip('while a file is on its way, its progress is shown, the call waits, and the user can stop it', async () => {
  let release = () => {}
  const held = new Promise<void>((resolve) => (release = resolve))
  await page.route('**/uploads?*', async (route) => {
    await held
    await route.abort()
  })
  await choose('voice.wav', wav(3_000_000))
  await pane().getByRole('progressbar', { name: 'Sending voice.wav' }).waitFor()
  await run()
  await pane().getByText('Wait until the file has been sent').waitFor()
  await pane().getByRole('button', { name: 'Stop sending voice.wav' }).click()
  await pane().getByRole('textbox', { name: 'voice' }).waitFor()
  expect(await pane().getByRole('textbox', { name: 'voice' }).inputValue()).toBe('')
  expect(await pane().getByText('was not added').count()).toBe(0)
  release()
})

skip('what the server refuses is said at the field', async () => {
  await choose('voice.wav', wav(9_500_000))
  await pane()
    .getByText(/voice\.wav was not added\. .*9/)
    .waitFor()
  await choose('notes.wav', Buffer.alloc(800_000, 'words '))
  await pane()
    .getByText(/notes\.wav was not added\. .*(?:video|sound)/i)
    .waitFor()
})

skip('what the user does last counts: a file that arrives later replaces nothing', async () => {
  let release = () => {}
  const held = new Promise<void>((resolve) => (release = resolve))
  await page.route('**/uploads?*', async (route) => {
    await held
    await route.fulfill({ status: 201, json: { uri: '/uploads/late' } }).catch(() => undefined)
  })
  await choose('short.wav', wav(20_000))
  await pane().getByRole('button', { name: 'Clear' }).waitFor()
  await choose('voice.wav', wav(3_000_000))
  await pane().getByRole('progressbar', { name: 'Sending voice.wav' }).waitFor()
  await pane().getByRole('button', { name: 'Clear' }).click()
  await pane().getByRole('textbox', { name: 'voice' }).waitFor()
  await choose('voice.wav', wav(3_000_000))
  await pane().getByRole('progressbar', { name: 'Sending voice.wav' }).waitFor()
  await choose('short.wav', wav(20_000))
  await pane().getByText('short.wav, 26,').waitFor()
  expect(await pane().getByRole('progressbar').count()).toBe(0)
  release()
  await page.waitForTimeout(200)
  await pane().getByText('short.wav, 26,').waitFor()
})

skip('the same file can be chosen again', async () => {
  await choose('short.wav', wav(20_000))
  await pane().getByRole('button', { name: 'Clear' }).waitFor()
  // A browser tells of no change if the input still has the file.
  expect(await pane().getByLabel('File for voice').inputValue()).toBe('')
})

skip.each([
  ['an address elsewhere', { status: 201, json: { uri: 'https://other.example/file' } }],
  ['no address', { status: 201, json: {} }],
  ['nothing', { status: 204 }],
])('an answer with %s is said at the field', async (_, answer) => {
  await page.route('**/uploads?*', (route) => route.fulfill(answer))
  await choose('voice.wav', wav(3_000_000))
  await pane()
    .getByText(/voice\.wav was not added\. .*Try again/)
    .waitFor()
  expect(await pane().getByRole('textbox', { name: 'voice' }).inputValue()).toBe('')
})

/** One pixel. */
const DOT =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+M8AAAMBAQDJ/pLvAAAAAElFTkSuQmCC'

skip('files of a message are sent by themselves, and the model is told what a tool takes them as', async () => {
  await page.goto(`${app.url}/#/chat`)
  const dot = Buffer.from(DOT, 'base64')
  const files = {
    'voice.wav': wav(100_000),
    'large.png': Buffer.concat([dot, Buffer.alloc(2_600_000)]),
    'dot.png': dot,
  }
  const paths = Object.entries(files).map(([name, bytes]) => ({ path: join(folder, name), bytes }))
  for (const { path, bytes } of paths) await writeFile(path, bytes)
  await page.getByLabel('Files to attach').setInputFiles(paths.map(({ path }) => path))
  for (const name of Object.keys(files)) {
    await page.getByRole('button', { name: `Remove ${name}` }).waitFor()
  }
  await page.getByLabel('Message').fill('look at these')
  await page.getByLabel('Message').press('Enter')
  await page.getByText('Good day.').waitFor()
  const sent = JSON.stringify(model.requests.at(-1)?.body)
  for (const about of ['voice.wav (audio/wav)', 'large.png (image/png)', 'the picture dot.png']) {
    const [, address = ''] = sent.split(`${about}; a tool takes it as `)
    expect(address, about).toMatch(/^\/uploads\/[\w-]+/)
  }
  // A picture that is too large for the request is not shown to the model; a small one is.
  expect(sent.length).toBeLessThan(1_000_000)
  expect(sent).toContain(DOT)
})

skip('a file that is attached before the list of tools is there waits for it, and the message for the file', async () => {
  let release = () => {}
  const held = new Promise<void>((resolve) => (release = resolve))
  await page.route('**/tools', async (route) => {
    await held
    await route.continue()
  })
  await page.goto(`${app.url}/#/chat`)
  await page.reload()
  const before = model.requests.length
  const path = join(folder, 'early.wav')
  await writeFile(path, wav(100_000))
  await page.getByLabel('Files to attach').setInputFiles(path)
  await page.getByRole('progressbar', { name: 'Sending early.wav' }).waitFor()
  await page.getByLabel('Message').fill('listen')
  await page.getByLabel('Message').press('Enter')
  expect(await page.getByLabel('Message').inputValue()).toBe('listen')
  release()
  await page.getByRole('button', { name: 'Remove early.wav' }).waitFor()
  await page.getByLabel('Message').press('Enter')
  await page.getByText('Good day.').waitFor()
  expect(model.requests.length).toBe(before + 1)
  expect(JSON.stringify(model.requests.at(-1)?.body)).toContain('early.wav (audio/wav)')
})

skip('a large picture to start from in Create is sent by itself', async () => {
  await page.goto(`${app.url}/#/chat`)
  const settings = page.getByRole('group', { name: 'Settings for pictures' })
  await settings.getByRole('button', { name: 'More' }).click()
  await settings.getByRole('button', { name: /^Image/ }).click()
  const data = new Uint8Array(64 * 64 * 3)
  const picture = encode({ width: 64, height: 64, data, channels: 3 })
  const large = Buffer.concat([picture, Buffer.alloc(2_600_000)])
  const file = { name: 'large.png', mimeType: 'image/png', buffer: large }
  await settings.locator('input[type="file"]').setInputFiles(file)
  await settings.getByText('A large picture, which is on the server for a day.').waitFor()
  const sent = page.waitForRequest((request) => request.url().endsWith('/invoke'))
  await settings.getByRole('button', { name: 'Draw at once' }).click()
  await page.getByLabel('Message').fill('a frog')
  await page.getByLabel('Message').press('Enter')
  const { params } = (await sent).postDataJSON() as { params: Record<string, string> }
  expect(params['image']).toMatch(/^\/uploads\/[\w-]+$/)
  await page.locator('.card[data-state="completed"] img').waitFor({ timeout: 60_000 })
  expect(problems).toEqual([])
}, 120_000)

skip('an empty picture is refused, and one of two files with the same name can be removed', async () => {
  await page.goto(`${app.url}/#/chat`)
  const png = { mimeType: 'image/png', buffer: Buffer.from(DOT, 'base64') }
  const empty = { name: 'none.png', mimeType: 'image/png', buffer: Buffer.alloc(0) }
  const files = page.getByLabel('Files to attach')
  await files.setInputFiles([
    { name: 'dot.png', ...png },
    { name: 'dot.png', ...png },
  ])
  const chips = page.getByRole('button', { name: 'Remove dot.png' })
  await expect.poll(() => chips.count()).toBe(2)
  await chips.first().click()
  await expect.poll(() => chips.count()).toBe(1)
  await files.setInputFiles([empty])
  await page.getByText('none.png is empty.').waitFor()
  await chips.click()
})
