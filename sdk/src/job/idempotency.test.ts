import { describe, expect, it } from 'vitest'
import {
  type Instance,
  instance,
  start,
  startCall,
  storedJobs,
  tool,
  world,
} from './testing/works.ts'

const KEY = { 'idempotency-key': 'order 1/ä' }

function shop(compares = false) {
  const on = world(compares)
  const by = instance(on)
  return { on, by, entry: tool(by) }
}

/** Makes `count` calls meet: all look for the key before one writes it, and all write it before one looks again. */
async function together({ platform }: Instance, count: number): Promise<void> {
  const values = await platform.openKeyValue('default')
  const looked = meeting(count)
  const written = meeting(count)
  platform.openKeyValue = async () => ({
    ...values,
    async get(key) {
      const value = await values.get(key)
      if (key.startsWith('idem:')) await looked()
      return value
    },
    async set(key, value) {
      await values.set(key, value)
      if (key.startsWith('idem:')) await written()
    },
  })
}

function meeting(count: number): () => Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  let here = 0
  return () => {
    if (++here >= count) resolve()
    return promise
  }
}

describe('an idempotency key', () => {
  it('stands for one job of its caller and tool', async () => {
    const { on, by, entry } = shop()
    const first = await start(entry, by, { ...KEY, 'ftl-principal': 'ada' })
    expect((await start(entry, by, { ...KEY, 'ftl-principal': 'ada' })).id).toBe(first.id)
    expect((await start(entry, by, { ...KEY, 'ftl-principal': 'bob' })).id).not.toBe(first.id)
    expect((await start(entry, by)).id).not.toBe(first.id)
    expect((await start(entry, by, { ...KEY, 'ftl-principal': 'ada' })).id).toBe(first.id)
    expect(on.begun).toHaveLength(3)
  })

  it('means the same arguments, whatever their order', async () => {
    const { by, entry } = shop()
    const one = await startCall(entry, by, KEY, { a: 1, b: { c: [1, 2], d: 2 } })
    const two = await startCall(entry, by, KEY, { b: { d: 2, c: [1, 2] }, a: 1 })
    expect(await two.json()).toEqual(await one.json())
  })

  it('is refused for other arguments', async () => {
    const { on, by, entry } = shop()
    await startCall(entry, by, KEY, { list: [1, 2] })
    const other = await startCall(entry, by, KEY, { list: [2, 1] })
    expect(other.status).toBe(422)
    expect(await other.json()).toMatchObject({
      isError: true,
      content: [
        { type: 'text', text: expect.stringMatching(/^idempotency_key_reuse: /) as string },
      ],
      _meta: { kind: 'idempotency_key_reuse' },
    })
    expect(on.begun).toHaveLength(1)
  })

  it('may be used again when its job has expired', async () => {
    const { on, by, entry } = shop()
    const first = await start(entry, by, KEY)
    on.pass(24 * 3_600_000)
    expect((await start(entry, by, KEY)).id).not.toBe(first.id)
  })

  it('begins one job for calls that come at the same time', async () => {
    const { on, by, entry } = shop()
    await together(by, 4)
    const jobs = await Promise.all([1, 2, 3, 4].map(() => start(entry, by, KEY)))
    expect(new Set(jobs.map(({ id }) => id)).size).toBe(1)
    expect(on.begun).toEqual([jobs[0]?.id])
    expect(storedJobs(on)).toEqual(on.begun)
  })

  it('begins one job in any order of the calls where the store compares', async () => {
    for (const laterLooks of [0, 1, 2, 3]) {
      const { on, by, entry } = shop(true)
      const first = start(entry, by, KEY)
      // Further calls come after a number of steps of the first.
      for (let turn = 0; turn < laterLooks * 4; turn++) await Promise.resolve()
      const jobs = await Promise.all([first, ...[1, 2, 3].map(() => start(entry, by, KEY))])
      expect(new Set(jobs.map(({ id }) => id)).size).toBe(1)
      expect(on.begun).toEqual([jobs[0]?.id])
      expect(storedJobs(on)).toEqual(on.begun)
    }
  })

  it('begins one job of calls at the same time when the job of the key has expired', async () => {
    const { on, by, entry } = shop(true)
    const expired = await start(entry, by, KEY)
    on.pass(24 * 3_600_000)
    const jobs = await Promise.all([1, 2, 3, 4].map(() => start(entry, by, KEY)))
    expect(new Set(jobs.map(({ id }) => id)).size).toBe(1)
    expect(on.begun).toEqual([expired.id, jobs[0]?.id])
  })

  it('begins one job when those have different arguments', async () => {
    const { on, by, entry } = shop()
    await together(by, 2)
    const answers = await Promise.all([1, 2].map((n) => startCall(entry, by, KEY, { n })))
    expect(answers.map(({ status }) => status).sort()).toEqual([202, 422])
    expect(on.begun).toHaveLength(1)
    expect(storedJobs(on)).toEqual(on.begun)
  })
})
