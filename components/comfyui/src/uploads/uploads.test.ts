import { type Simulator, startSimulator } from 'ftl-comfyui/simulator'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { machine, PNG } from '../testing/machine.ts'
import { MOST_UPLOADS } from './own-uploads.ts'

let simulator: Simulator
beforeAll(async () => {
  simulator = await startSimulator({ port: 0, renderSeconds: 0 })
})
afterAll(() => simulator.close())

const DAY_MS = 86_400_000

function world() {
  const made = machine(simulator.url)
  const send = (principal?: string) =>
    made.request('/uploads/?name=a.png', principal, { method: 'POST', body: new Uint8Array(PNG) })
  const upload = async (principal?: string) => {
    const response = await send(principal)
    expect(response.status).toBe(201)
    return ((await response.json()) as { uri: string }).uri
  }
  const keys = async () => (await made.platform.openKeyValue('default')).keys()
  return { ...made, send, upload, keys }
}

test.each([
  ['ada', 'bob'],
  ['ada', undefined],
  [undefined, 'ada'],
  ['ada', ''],
  [undefined, ''],
  ['ada', 'ADA'],
])('an upload of %j is not given to %j', async (owner, other) => {
  const { upload, request } = world()
  const uri = await upload(owner)
  expect((await request(uri, owner)).status).toBe(200)
  expect((await request(uri, other)).status).toBe(404)
})

test.each([
  ['in upper case', (uri: string) => `/uploads/${uri.slice(9).toUpperCase()}`],
  ['with a slash at the end', (uri: string) => `${uri}/`],
  ['with an encoded character', (uri: string) => uri.replace('-', '%2D')],
  ['with an encoded slash', (uri: string) => uri.replace(/\/(?=[^/]+$)/, '%2F')],
  ['with the key of another record', (uri: string) => `${uri}/../../job:x`],
])('an id that is written %s is not found', async (_, spelled) => {
  const { upload, request } = world()
  const response = await request(spelled(await upload('ada')), 'ada')
  expect(response.status).toBeGreaterThanOrEqual(404)
})

test('an upload expires after a day, and its record is removed with a later one', async () => {
  const { upload, request, pass, keys } = world()
  const uri = await upload('ada')
  pass(DAY_MS - 2000)
  expect((await request(uri, 'ada')).status).toBe(200)
  pass(2000)
  expect((await request(uri, 'ada')).status).toBe(404)
  await upload('bob')
  const records = async () => (await keys()).filter((key) => key.startsWith('upload:'))
  await expect.poll(records).toHaveLength(1)
})

test('a caller with too many uploads is refused before anything is sent, and no one else is', async () => {
  const { send, upload, platform, asked, pass, keys } = world()
  const uri = await upload('ada')
  const list = (await keys()).find((key) => key.startsWith('uploads-of:')) ?? ''
  const store = await platform.openKeyValue('default')
  const ids = Array.from({ length: MOST_UPLOADS }, () => uri.slice('/uploads/'.length))
  await store.set(list, JSON.stringify(ids))
  asked.length = 0
  const refused = await send('ada')
  expect([refused.status, await refused.json()]).toMatchObject([
    429,
    { error: { code: 'too_many_uploads' } },
  ])
  expect(asked).toEqual([])
  await upload('bob')
  await upload()
  pass(DAY_MS)
  await upload('ada')
})
