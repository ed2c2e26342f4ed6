import { describe, expect, it } from 'vitest'
import { authenticatedWorld, BOTH } from '../testing/authenticated.ts'
import { call } from '../testing/components.ts'
import { API_KEY, ISSUER, tokenWith } from '../testing/issuer.ts'
import { JOB_ID, jobComponent, PICTURE, record, store } from '../testing/job-component.ts'

const RESULT = { content: [PICTURE] }
const OTHER_ID = JOB_ID.replace(/^d/, 'e')
const FILE = `/outputs/${JOB_ID}.png`

async function worldWith(variables: Record<string, string> = {}) {
  let now = Date.now()
  const { component } = jobComponent({ status: 'completed', seq: 2, result: RESULT })
  const world = authenticatedWorld({ ...BOTH, ...variables }, undefined, {
    components: { images: component },
    now: () => now,
  })
  const owned = { owner: `${ISSUER}#ada`, status: 'completed' as const, result: RESULT }
  for (const id of [JOB_ID, OTHER_ID]) await store(world.platform, record({ ...owned, id }, now))
  const status = async (path: string, token?: string, init?: RequestInit) =>
    (await world.get(path, token, init)).status
  return { world, status, pass: (ms: number) => void (now += ms) }
}

/** The link in the result that the owner gets. */
async function linkOf({ world }: Awaited<ReturnType<typeof worldWith>>): Promise<string> {
  const response = await world.get(`/jobs/${JOB_ID}/events`, tokenWith(), {
    headers: { accept: 'application/x-ndjson' },
  })
  const [, query = ''] = /\.png\?(link=[\w.-]+)"/.exec(await response.text()) ?? []
  expect(query).not.toBe('')
  return query
}

describe('a link to the file of an owned job', () => {
  it('opens the file, the record and the events of that job without a token', async () => {
    const w = await worldWith()
    const link = await linkOf(w)
    for (const path of [FILE, `/jobs/${JOB_ID}`, `/jobs/${JOB_ID}/events`]) {
      expect(await w.status(path), path).toBe(401)
      expect(await w.status(`${path}?${link}`), path).toBe(200)
      expect(await w.status(`${path}?${link}`, undefined, { method: 'HEAD' }), path).toBe(200)
    }
  })

  it('is in the record for the owner, and is not renewed by itself', async () => {
    const w = await worldWith()
    const recordOf = async (path: string, token?: string) =>
      (await (await w.world.get(path, token)).json()) as { link?: string }
    const { link } = await recordOf(`/jobs/${JOB_ID}`, tokenWith())
    expect(await w.status(`${FILE}?link=${link}`)).toBe(200)
    // The next link would be another one.
    w.pass(700_000)
    expect((await recordOf(`/jobs/${JOB_ID}?link=${link}`)).link).toBeUndefined()
    const events = await w.world.get(`/jobs/${JOB_ID}/events?link=${link}`)
    expect(await events.text()).toContain(`.png?link=${link}"`)
  })

  it('opens nothing else, and changes nothing', async () => {
    const w = await worldWith()
    const link = await linkOf(w)
    const paths = [
      `/jobs/${OTHER_ID}`,
      `/outputs/${OTHER_ID}.png`,
      '/tools',
      '/openapi.json',
      '/mcp',
      `/jobs/${JOB_ID}/x`,
    ]
    for (const path of paths) expect(await w.status(`${path}?${link}`), path).toBe(401)
    expect(await w.status(`/jobs/${JOB_ID}?${link}`, undefined, { method: 'DELETE' })).toBe(401)
    const body = JSON.stringify(call('a', {}))
    expect(await w.status(`/mcp?${link}`, undefined, { method: 'POST', body })).toBe(401)
  })

  it('that was changed opens nothing', async () => {
    const w = await worldWith()
    const link = await linkOf(w)
    const [, expires = '', mac = ''] = /link=(\w+)\.(.+)/.exec(link) ?? []
    const later = (parseInt(expires, 36) + 600_000).toString(36)
    const flipped = mac.startsWith('A') ? `B${mac.slice(1)}` : `A${mac.slice(1)}`
    for (const changed of [
      `${later}.${mac}`,
      `${expires}.${flipped}`,
      `${expires}.`,
      `.${mac}`,
      mac,
      '',
    ]) {
      expect(await w.status(`${FILE}?link=${changed}`), changed).toBe(401)
    }
  })

  it('expires', async () => {
    const w = await worldWith({ link_ttl_ms: '60000' })
    const link = await linkOf(w)
    w.pass(60_000)
    expect(await w.status(`${FILE}?${link}`)).toBe(200)
    // At most ten minutes are added, so that the address stays the same for a while.
    w.pass(600_000)
    expect(await w.status(`${FILE}?${link}`)).toBe(401)
  })

  it('of a user that is denied opens nothing', async () => {
    const w = await worldWith()
    const link = await linkOf(w)
    const { variables } = w.world.platform
    w.world.platform.variables = {
      get: (name) => (name === 'auth_deny' ? `principal:${ISSUER}#ada` : variables.get(name)),
    }
    expect(await w.status(`${FILE}?${link}`)).toBe(401)
  })
})

describe('an owned job', () => {
  it('is not there for another user, with whatever token', async () => {
    const { status } = await worldWith()
    for (const token of [API_KEY, tokenWith({ claims: { sub: 'eve' } })]) {
      for (const path of [`/jobs/${JOB_ID}`, FILE, `/jobs/${JOB_ID}/events`]) {
        expect(await status(path, token)).toBe(404)
      }
      expect(await status(`/jobs/${JOB_ID}`, token, { method: 'DELETE' })).toBe(404)
    }
    expect(await status(`/jobs/${JOB_ID}`, tokenWith())).toBe(200)
  })

  it('has a link in ws_url, and the job that a call starts belongs to its caller', async () => {
    const { component } = jobComponent()
    const world = authenticatedWorld(BOTH, undefined, { components: { images: component } })
    const response = await world.get('/mcp', API_KEY, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(call('generate_image', { prompt: 'x' })),
    })
    const { params } = (await response.json()) as { params: { ws_url: string; stream_id: string } }
    const { pathname, search } = new URL(params.ws_url)
    expect(pathname).toBe(`/ws/stream/${params.stream_id}`)
    expect(search).toMatch(/^\?link=[0-9a-z]+\.[\w-]{43}$/)
    const job = `/jobs/${params.stream_id}`
    expect((await world.get(job)).status).toBe(401)
    expect((await world.get(`${job}${search}`)).status).toBe(200)
    expect((await world.get(job, tokenWith())).status).toBe(404)
  })
})

it('where there is no authentication links stay as they are', async () => {
  const { component } = jobComponent({ status: 'completed', seq: 2, result: RESULT })
  const world = authenticatedWorld({}, undefined, { components: { images: component } })
  await store(world.platform, record({ status: 'completed', result: RESULT }))
  const response = await world.get(`/jobs/${JOB_ID}/events`)
  expect(await response.text()).toContain(`"http://localhost:3000${FILE}"`)
})
