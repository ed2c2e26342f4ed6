import type { JobRecord, ToolResult } from 'ftl-contract'
import { type Simulator, startSimulator } from 'ftl-comfyui/simulator'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { machine, PNG, SWITCHED_ON, textOf } from '../testing/machine.ts'
import { MOST_UPLOADS } from './own-uploads.ts'

let simulator: Simulator
beforeAll(async () => {
  simulator = await startSimulator({ port: 0, renderSeconds: 0 })
})
afterAll(() => simulator.close())

const DAY_MS = 86_400_000

function world() {
  const made = machine(simulator.url, { variables: SWITCHED_ON })
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

/** Calls `run_workflow` with a workflow that saves this image again. */
async function runWith({ request }: ReturnType<typeof world>, image: string, principal?: string) {
  const workflow = {
    '1': { class_type: 'LoadImage', inputs: { image } },
    '2': { class_type: 'SaveImage', inputs: { images: ['1', 0], filename_prefix: 'x' } },
  }
  const response = await request('/run_workflow', principal, {
    method: 'POST',
    body: JSON.stringify({ workflow }),
    headers: { prefer: 'respond-async' },
  })
  return (await response.json()) as ToolResult & { job?: JobRecord }
}

test('a workflow that a caller sends may name an upload of the caller, and of no one else', async () => {
  const made = world()
  const uri = await made.upload('ada')
  const { job } = await runWith(made, `https://gateway.example${uri}`, 'ada')
  const status = async () => {
    made.pass(1001)
    const response = await made.request(`/jobs/${job?.id}`, 'ada')
    return ((await response.json()) as JobRecord).status
  }
  await expect.poll(status, { timeout: 8000 }).toBe('completed')
  for (const principal of ['bob', undefined]) {
    const refused = await runWith(made, uri, principal)
    expect(textOf(refused)).toContain('image of node 1 was not found; an upload expires')
  }
})
