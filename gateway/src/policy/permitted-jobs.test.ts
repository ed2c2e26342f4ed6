import { describe, expect, it } from 'vitest'
import { guardedWorld, HIDDEN } from '../testing/guarded.ts'
import { API_KEY, tokenWith } from '../testing/issuer.ts'
import { JOB_ID, record, store } from '../testing/job-component.ts'
import { rpc } from '../testing/policy-faces.ts'
import type { Rule } from './policy.ts'

describe('jobs', () => {
  const owned = (owner: string, component: string) =>
    record({ owner, component, status: 'completed', seq: 3 })

  it('stay with their owner, whatever the policy says now', async () => {
    const world = guardedWorld([{ effect: 'allow', components: ['open'] }])
    await store(world.platform, owned('key:ci', HIDDEN))
    expect((await world.get(`/jobs/${JOB_ID}`, API_KEY)).status).toBe(200)
    for (const path of [`/jobs/${JOB_ID}`, `/jobs/${JOB_ID}/events`, `/outputs/${JOB_ID}.png`]) {
      expect((await world.get(path, tokenWith())).status).toBe(404)
    }
    await world.get('/tools', tokenWith())
    const [path, init] = rpc('tools/call', { name: 'get_job', arguments: { job_id: JOB_ID } })
    expect(await (await world.get(path, tokenWith(), init)).text()).toContain('no such job')
  })

  it('have tools only for a caller who may start some', async () => {
    const names = async (rules: Rule[]) =>
      (await guardedWorld(rules).get('/tools', tokenWith())).text()
    expect(await names([{ effect: 'allow', tools: ['open_job'] }])).toContain('get_job')
    expect(await names([{ effect: 'allow', prompts: ['*'] }])).not.toContain('get_job')
    const world = guardedWorld([{ effect: 'allow', prompts: ['*'] }])
    const [path, init] = rpc('tools/call', { name: 'get_job', arguments: { job_id: JOB_ID } })
    expect(await (await world.get(path, tokenWith(), init)).text()).toContain('Tool not found')
  })
})
