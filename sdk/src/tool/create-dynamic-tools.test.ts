import { memoryPlatform } from 'ftl-platform/memory'
import { describe, expect, it } from 'vitest'
import type { JobRecord } from 'ftl-contract'
import { toComponent } from '../serve/component.ts'
import { createDynamicTools } from './create-dynamic-tools.ts'
import { createTool } from './create-tool.ts'
import type { Tool } from './create-tool.ts'

const jobs = { poll: async () => ({ message: 'at it' }), cancel: async () => 'cancelled' as const }

/** A component whose tools are those of a list that changes. */
function component({ withJobs = false } = {}) {
  const names = ['first']
  const toTool = (name: string): Tool =>
    withJobs
      ? createTool({ metadata: { name }, job: { ...jobs, start: async () => ({ at: name }) } })
      : createTool({ metadata: { name }, handler: () => `this is ${name}` })
  const tools = createDynamicTools({
    list: async () => ({ tools: names.map((name) => toTool(name).description), problems: ['p'] }),
    find: async (name) => (names.includes(name) ? toTool(name) : undefined),
    ...(withJobs && { job: jobs }),
  })
  let now = 1_700_000_000_000
  const platform = memoryPlatform({ now: () => now })
  const served = toComponent({ tools }, 'dynamic')
  const ask = async (path: string, init?: RequestInit) => {
    const response = await served.fetch(
      new Request(`http://dynamic.spin.internal${path}`, init),
      platform,
    )
    return { status: response.status, body: (await response.json()) as Record<string, unknown> }
  }
  return { names, ask, pass: (ms: number) => void (now += ms) }
}
const POST = { method: 'POST', body: '{}', headers: { prefer: 'respond-async' } }

describe('createDynamicTools', () => {
  it('offers the tools there are at each request, and what is wrong', async () => {
    const { names, ask } = component()
    const offered = async () => {
      const { body } = await ask('/')
      return (body['tools'] as { name: string }[]).map(({ name }) => name)
    }
    expect(await offered()).toEqual(['first'])
    names.push('second')
    expect(await offered()).toEqual(['first', 'second'])
    expect((await ask('/')).body).toMatchObject({ problems: ['p'] })
    expect((await ask('/')).body).not.toHaveProperty('jobs')
  })

  it('calls a tool by its name only, also when it is the only one', async () => {
    const { names, ask } = component()
    expect((await ask('/first', POST)).body).toEqual({
      content: [{ type: 'text', text: 'this is first' }],
    })
    expect((await ask('/', POST)).status).toBe(405)
    names.length = 0
    expect((await ask('/first', POST)).status).toBe(404)
  })

  it('keeps the jobs of a tool that is gone', async () => {
    const { names, ask, pass } = component({ withJobs: true })
    expect((await ask('/')).body).toMatchObject({ jobs: true })
    const { status, body } = await ask('/first', POST)
    expect(status).toBe(202)
    const { id } = body['job'] as JobRecord
    names.length = 0
    pass(2000)
    expect((await ask(`/jobs/${id}`)).body).toMatchObject({ status: 'working', message: 'at it' })
    const cancelled = await ask(`/jobs/${id}`, { method: 'DELETE' })
    expect(cancelled.body).toMatchObject({ status: 'cancelled' })
  })
})
