/** The life of a job: against the simulator, or a real server at `COMFYUI_URL`. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listen, type Listener } from './listener.ts'
import { needs, type Target, TARGETS } from './target.ts'
import { chain, picture, slow, unique } from './workflows.ts'

const patience = { timeout: 60_000, interval: 50 }
const NO_TEST_NODE = 'the server has no node SlowImage, and others that sample need a model'

describe.each(TARGETS)('jobs of $name', { timeout: 180_000 }, ({ open }) => {
  let target: Target
  let listener: Listener
  beforeAll(async () => {
    target = await open()
    listener = await listen(target.url)
  })
  afterAll(async () => {
    listener.close()
    await target.close()
  })
  const statusOf = (id: string) => async () => (await target.client.job(id)).status
  async function submit(workflow: Record<string, unknown>): Promise<string> {
    const promptId = crypto.randomUUID()
    const { clientId } = listener
    const extraData = { preview_method: 'latent2rgb' }
    await target.client.submit({ workflow, promptId, clientId, extraData })
    return promptId
  }
  const ended = (id: string) =>
    expect
      .poll(
        () => listener.of(id).some(({ type, data }) => type === 'executing' && data.node === null),
        patience,
      )
      .toBe(true)

  it('tell every node they come to, the outputs, and the end last', async () => {
    const workflow = picture({ prompt: 'a fox', color: unique() })
    const id = await submit(workflow)
    await ended(id)
    const events = listener.of(id)
    expect(events[0]?.type).toBe('execution_start')
    const ran = events.filter(({ type }) => type === 'executing').map(({ data }) => data.node)
    expect(ran.at(-1)).toBeNull()
    expect(ran).toEqual(expect.arrayContaining(['below', 'blend', 'group:4', 'save']))
    expect(ran.indexOf('blend')).toBeLessThan(ran.indexOf('group:4'))
    const outputs = events.filter(({ type }) => type === 'executed').map(({ data }) => data.node)
    expect(outputs.sort()).toEqual(['echo', 'save'])
    expect(events.map(({ type }) => type)).toContain('execution_success')
    const last = events.findLast(({ type }) => type === 'progress_state')?.data.nodes
    expect(last).toMatchObject({ save: { state: 'finished', node_id: 'save', prompt_id: id } })
    expect((await target.client.job(id)).status).toBe('completed')
  })

  it('tell each step of a node that has steps', async (context) => {
    needs(target.has('SlowImage'), NO_TEST_NODE, context)
    const id = await submit(slow(target, 0.2))
    await ended(id)
    const steps = listener.of(id).filter(({ type }) => type === 'progress')
    expect(steps.map(({ data }) => [data.value, data.max])).toEqual([1, 2, 3, 4].map((n) => [n, 4]))
  })

  it('show what they are working on', async (context) => {
    needs(target.has('SlowImage'), NO_TEST_NODE, context)
    const id = await submit(slow(target, 0.2))
    await ended(id)
    const previews = listener.previews.filter(({ promptId }) => promptId === id)
    expect(previews.length).toBeGreaterThan(0)
    const start = previews[0]?.image.subarray(0, 4).toString('latin1') ?? ''
    expect(start).toMatch(/^(?:\x89PNG|\xff\xd8\xff)/)
  })

  it('run any number of nodes one after the other', async () => {
    const id = await submit(chain(30, 16, unique()))
    await expect.poll(statusOf(id), patience).toBe('completed')
  })

  it('can be cancelled while they wait, without a trace and without harm to the one that runs', async () => {
    const { client } = target
    const [running, waiting] = [await submit(slow(target, 10)), await submit(slow(target, 10))]
    await expect.poll(statusOf(running), patience).toBe('running')
    expect(await client.job(waiting)).toMatchObject({ status: 'pending' })
    expect(await client.position(running)).toBe(0)
    expect(await client.position(waiting)).toBeGreaterThanOrEqual(1)
    expect(await client.cancel(waiting)).toBe(true)
    expect(await client.job(waiting)).toMatchObject({ status: 'unknown' })
    expect(await client.position(waiting)).toBeUndefined()
    expect(await client.cancel(waiting)).toBe(false)
    expect(await client.job(running)).toMatchObject({ status: 'running' })
    expect(await client.cancel(running)).toBe(true)
    await expect.poll(statusOf(running), patience).not.toBe('running')
  })

  it('can be cancelled while they run, without harm to the one that waits', async () => {
    const { client } = target
    const running = await submit(slow(target, 10))
    const waiting = await submit(picture({ color: unique() }))
    await expect.poll(statusOf(running), patience).toBe('running')
    expect(await client.cancel(running)).toBe(true)
    await expect.poll(statusOf(running), patience).toBe('cancelled')
    expect((await client.job(running)).error?.kind).toBe('interrupted')
    await expect.poll(statusOf(waiting), patience).toBe('completed')
    expect(await client.cancel(waiting)).toBe(false)
  })

  it('are told as lost after a restart, and not as waiting for ever', async (context) => {
    needs(target.restart, 'nobody but its owner may restart this server', context)
    const id = await submit(slow(target, 10))
    await expect.poll(statusOf(id), patience).toBe('running')
    await target.restart?.()
    expect(await target.client.job(id)).toMatchObject({ status: 'unknown' })
    expect(await target.client.job(id, { accepted: true })).toMatchObject({
      status: 'failed',
      error: { kind: 'server_lost' },
    })
  })
})
