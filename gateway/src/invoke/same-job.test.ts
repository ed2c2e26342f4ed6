import { describe, expect, it } from 'vitest'
import type { JobRecord, ToolDescription } from 'ftl-contract'
import { call, createWorld, post, text } from '../testing/components.ts'
import { record } from '../testing/job-component.ts'

const HEADERS = { 'mcp-protocol-version': '2025-11-25' }
const AGAIN = '/mcp?client=crewai&wait_ms=0'
const TOOL: ToolDescription = {
  name: 'draw',
  inputSchema: { type: 'object', properties: { a: {}, b: {} } },
}

/** A component whose every call starts another job. */
function worldOf(variables: Record<string, string> = {}) {
  const jobs = new Map<string, JobRecord>()
  let now = Date.now()
  const world = createWorld({
    now: () => now,
    variables,
    components: {
      images: (request) => {
        const { pathname } = new URL(request.url)
        if (request.method === 'GET' && pathname === '/') {
          return Response.json({ tools: [TOOL], jobs: true })
        }
        const [, id] = /^\/jobs\/(.+)$/.exec(pathname) ?? []
        if (id !== undefined) return Response.json(jobs.get(id))
        const job = record({ id: crypto.randomUUID(), tool: 'draw' }, now)
        jobs.set(job.id, job)
        return Response.json({ job }, { status: 202 })
      },
    },
  })
  const draw = async (args: object, path = AGAIN, headers: Record<string, string> = {}) => {
    const response = await world.send(post(call('draw', args), { ...HEADERS, ...headers }, path))
    const { result } = (await response.json()) as {
      result: { structuredContent: { job_id: string } }
    }
    return result.structuredContent.job_id
  }
  return { jobs, world, draw, pass: (ms: number) => void (now += ms) }
}

describe('a call that such a client sends again', () => {
  it('gets the job that still runs', async () => {
    const { jobs, draw } = worldOf()
    const first = await draw({ a: 1, b: [{ c: 2, d: 3 }] })
    expect(await draw({ a: 1, b: [{ c: 2, d: 3 }] })).toBe(first)
    expect(jobs.size).toBe(1)
  })

  it('starts another once the end was read', async () => {
    const { jobs, world, draw, pass } = worldOf()
    const id = await draw({ a: 1 })
    jobs.set(id, record({ id, tool: 'draw', seq: 2, status: 'completed', result: text('ok') }))
    pass(1_000)
    const read = await world.send(post(call('get_job', { job_id: id }), HEADERS))
    expect(await read.json()).toMatchObject({ result: text('ok') })
    expect(await draw({ a: 1 })).not.toBe(id)
  })

  it.each([
    ['other arguments', { a: 2 }, AGAIN, {}],
    ['a client that does not give up', { a: 1 }, '/mcp?wait_ms=0', {}],
    ['one that does not want it', { a: 1 }, `${AGAIN}&repeats=new`, {}],
    ['a key of its own', { a: 1 }, AGAIN, { 'idempotency-key': 'k' }],
  ])('starts another with %s', async (_, args, path, headers) => {
    const { jobs, draw } = worldOf()
    await draw({ a: 1 }, path)
    await draw(args, path, headers)
    expect(jobs.size).toBe(2)
  })

  it.each<Record<string, string>>([
    { 'spin-client-addr': '10.0.0.7:1' },
    { 'x-forwarded-for': '10.0.0.7' },
  ])(
    'starts another for a caller without a name that is not on this machine: %j',
    async (headers) => {
      const { jobs, draw } = worldOf()
      const first = await draw({ a: 1 })
      const second = await draw({ a: 1 }, AGAIN, headers)
      expect(second).not.toBe(first)
      expect(await draw({ a: 1 }, AGAIN, headers)).not.toBe(second)
      expect(jobs.size).toBe(3)
    },
  )

  it('starts another for another caller', async () => {
    const { jobs, draw } = worldOf({ trust_forwarded_user: 'without-secret' })
    const first = await draw({ a: 1 }, AGAIN, { 'x-forwarded-user': 'ada' })
    expect(await draw({ a: 1 }, AGAIN, { 'x-forwarded-user': 'bob' })).not.toBe(first)
    expect(await draw({ a: 1 }, AGAIN, { 'x-forwarded-user': 'ada' })).toBe(first)
    expect(jobs.size).toBe(2)
  })
})
