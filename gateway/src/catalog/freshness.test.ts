import { describe, expect, it, vi } from 'vitest'
import { call, createWorld, several, text, tool } from '../testing/components.ts'

const LIST = { jsonrpc: '2.0', method: 'tools/list', id: 1 }
const PLAIN_LIST = ['GET http://one.spin.internal/', 'GET http://two.spin.internal/']

function worldAt(clock: { now: number }, conditionalWrites = false) {
  return createWorld({
    conditionalWrites,
    components: { one: several([tool('a')]), two: several([tool('b')]) },
    variables: { catalog_ttl_ms: '1000', discovery_timeout_ms: '50' },
    now: () => clock.now,
  })
}

describe('a catalog that is not old', () => {
  it('is listed without asking anyone', async () => {
    const clock = { now: 5_000 }
    const world = worldAt(clock)
    const first = await world.rpc(LIST)
    clock.now += 999
    expect(await world.rpc(LIST)).toEqual(first)
    expect(world.log).toEqual(PLAIN_LIST)
    clock.now += 1
    await world.rpc(LIST)
    expect(world.log).toEqual([...PLAIN_LIST, ...PLAIN_LIST])
  })

  it('is asked for once by all lists that come when it is too old, where the store compares', async () => {
    const clock = { now: 5_000 }
    const world = worldAt(clock, true)
    const first = await world.rpc(LIST)
    clock.now += 1_000
    const lists = await Promise.all(Array.from({ length: 5 }, () => world.rpc(LIST)))
    expect(lists).toEqual(lists.map(() => first))
    expect(world.log).toEqual([...PLAIN_LIST, ...PLAIN_LIST])
  })

  it('is asked for again after an instance that was to ask has crashed', async () => {
    const clock = { now: 5_000 }
    const world = worldAt(clock, true)
    await world.rpc(LIST)
    clock.now += 1_000
    const { two } = world.components
    world.components['two'] = () => new Promise(() => {})
    const crashed = world.rpc(LIST)
    await vi.waitFor(() => expect(world.log).toHaveLength(4))
    world.components['two'] = two
    clock.now += 1_000
    await world.rpc(LIST)
    expect(world.log).toHaveLength(6)
    await crashed
  })

  it('spares every client after the first the wait for a component that hangs', async () => {
    const clock = { now: 5_000 }
    const world = worldAt(clock)
    world.components['two'] = () => new Promise(() => {})
    const first = await world.rpc(LIST)
    expect(first).toMatchObject({
      result: {
        tools: [{ name: 'a' }],
        _meta: { 'ftl/components': [{ component: 'two', status: 'unavailable' }] },
      },
    })
    world.log.length = 0
    expect(await world.rpc(LIST)).toEqual(first)
    expect(world.log).toEqual([])
  })

  it('asks who gave no answer again later, in the background', async () => {
    const clock = { now: 5_000 }
    const world = worldAt(clock)
    const { two } = world.components
    world.components['two'] = () => new Promise(() => {})
    await world.rpc(LIST)
    let answer = () => {}
    const hesitates = new Promise<void>((resolve) => (answer = resolve))
    world.components['two'] = async (request) => {
      await hesitates
      return two?.(request) ?? Response.error()
    }
    clock.now += 1_000
    const names = async () => {
      const { result } = (await world.rpc(LIST)) as { result: { tools: { name: string }[] } }
      return result.tools.map(({ name }) => name)
    }
    expect(await names()).toEqual(['a'])
    answer()
    await world.platform.settled()
    expect(await names()).toEqual(['a', 'b'])
  })

  it('never says no: an unknown tool and arguments that do not fit are checked with what is true now', async () => {
    const world = worldAt({ now: 5_000 })
    await world.rpc(LIST)
    world.components['two'] = several([tool('b', { n: { type: 'number' } }), tool('new')])
    expect(await world.rpc(call('new', {}))).toMatchObject({ result: text('new') })
    world.components['two'] = several([tool('b', { n: { type: 'string' } })])
    expect(await world.rpc(call('b', { n: 'x' }))).toMatchObject({ result: text('b') })
  })

  it('is asked for anew by /health/components', async () => {
    const world = worldAt({ now: 5_000 })
    await world.rpc(LIST)
    world.components['two'] = undefined
    const health = await world.send(new Request('http://localhost:3000/health/components'))
    expect(await health.json()).toMatchObject({
      status: 'degraded',
      components: [
        { component: 'one', status: 'ok' },
        { component: 'two', status: 'stale' },
      ],
    })
  })
})
