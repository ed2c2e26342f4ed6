import { describe, expect, it } from 'vitest'
import { auditLog } from '../testing/audit-log.ts'
import { auditedWorld } from '../testing/audited-world.ts'
import { call, type Component, text, tool } from '../testing/components.ts'
import { JOB_ID, jobComponent, record, store } from '../testing/job-component.ts'
import { modern } from '../testing/modern.ts'
import { request } from '../testing/rest.ts'

const { printed, entries } = auditLog()

describe('jobs', () => {
  // A clock that stands still: a record that is older than its poll interval would be refreshed by a read.
  const now = Date.now()
  const started = () => {
    const { component } = jobComponent({ status: 'completed', result: text('done') })
    const offers = { tools: [tool('generate_image')], jobs: true }
    const images: Component = (request) =>
      new URL(request.url).pathname === '/' && request.method === 'GET'
        ? Response.json(offers)
        : component(request)
    return auditedWorld({ components: { images }, now: () => now })
  }

  it('have a line when a call starts one, with its id', async () => {
    const one = started()
    const sent = request('/invoke', {
      body: { tool: 'generate_image', params: { prompt: 'x' } },
      headers: { prefer: 'respond-async' },
    })
    expect((await one.send(sent)).status).toBe(202)
    expect(entries()).toEqual([
      expect.objectContaining({ tool: 'generate_image', outcome: 'job', job: JOB_ID }),
    ])
  })

  it('have a line for each job tool, and for each read by HTTP', async () => {
    const one = started()
    await store(one.platform, record({}, now))
    // So that the job tools exist.
    await one.rpc({ jsonrpc: '2.0', method: 'tools/list', id: 1 })
    printed.length = 0
    await one.rpc(call('get_job', { job_id: JOB_ID }))
    await one.send(request(`/jobs/${JOB_ID}`))
    await one.send(request(`/jobs/${JOB_ID}`, { method: 'DELETE' }))
    await one.send(request('/jobs/00000000-0000-4000-8000-000000000000'))
    await one.send(request(`/outputs/${JOB_ID}.png`))
    expect(
      entries().map(({ event, tool, action, target, outcome }) => [
        event,
        tool ?? action,
        target,
        outcome,
      ]),
    ).toEqual([
      ['call', 'get_job', undefined, 'ok'],
      ['decision', 'GET /jobs', JOB_ID, 'ok'],
      ['job', 'generate_image', undefined, 'cancelled'],
      ['decision', 'DELETE /jobs', JOB_ID, 'ok'],
      ['decision', 'GET /jobs', '00000000-0000-4000-8000-000000000000', 'not_found'],
      ['decision', 'GET /outputs', `${JOB_ID}.png`, 'ok'],
    ])
  })

  it('have a line for each request about a task', async () => {
    const one = started()
    await store(one.platform, record({}, now))
    const follows = (taskId: string) => ({
      capabilities: { extensions: { 'io.modelcontextprotocol/tasks': {} } },
      headers: { 'mcp-name': taskId },
    })
    await one.send(modern('tasks/get', { taskId: JOB_ID }, follows(JOB_ID)))
    await one.send(modern('tasks/cancel', { taskId: 'nope' }, follows('nope')))
    expect(entries()).toEqual([
      expect.objectContaining({ action: 'tasks/get', target: JOB_ID, outcome: 'ok' }),
      expect.objectContaining({ action: 'tasks/cancel', target: 'nope', outcome: 'refused' }),
    ])
  })
})
