import { describe, expect, it } from 'vitest'
import { call, createWorld, several, text, tool } from '../testing/components.ts'
import { TRUSTED_MS } from './ask-again.ts'

const LIST = { jsonrpc: '2.0', method: 'tools/list', id: 1 }
const COMPONENTS = ['one', 'two', 'three']

function worldAt(clock: { now: number }) {
  const components = Object.fromEntries(
    COMPONENTS.map((name) => [name, several([tool(`of-${name}`, { n: { type: 'number' } })])]),
  )
  return createWorld({
    components,
    variables: { catalog_ttl_ms: '5000' },
    now: () => clock.now,
  })
}

const message = (method: string, params: object) => ({ jsonrpc: '2.0', method, params, id: 1 })

describe('a flood of refused requests costs components one question in a while', () => {
  it.each([
    ['unknown tools', (n: number) => call(`none-${n}`, {})],
    ['unknown prompts', (n: number) => message('prompts/get', { name: `none-${n}` })],
    ['unknown resources', (n: number) => message('resources/read', { uri: `none:${n}` })],
    [
      'unknown completions',
      (n: number) =>
        message('completion/complete', {
          ref: { type: 'ref/prompt', name: `none-${n}` },
          argument: { name: 'a', value: '' },
        }),
    ],
  ])('%s', async (_, request) => {
    const clock = { now: 5_000 }
    const world = worldAt(clock)
    await world.rpc(LIST)
    world.log.length = 0
    for (let n = 0; n < 20; n++) await world.rpc(request(n))
    expect(world.log).toHaveLength(COMPONENTS.length)
    clock.now += TRUSTED_MS
    for (let n = 0; n < 20; n++) await world.rpc(request(n))
    expect(world.log).toHaveLength(2 * COMPONENTS.length)
  })

  it('arguments that do not fit ask one component, and do not hide a new tool', async () => {
    const world = worldAt({ now: 5_000 })
    await world.rpc(LIST)
    world.log.length = 0
    for (let n = 0; n < 20; n++) await world.rpc(call('of-one', { n: 'x' }))
    expect(world.log).toEqual(['GET http://one.spin.internal/'])
    world.components['two'] = several([tool('new')])
    expect(await world.rpc(call('new', {}))).toMatchObject({ result: text('new') })
  })

  it('/health/components asks once, too', async () => {
    const world = worldAt({ now: 5_000 })
    const health = () => world.send(new Request('http://localhost:3000/health/components'))
    for (let n = 0; n < 20; n++) expect((await health()).status).toBe(200)
    expect(world.log).toHaveLength(COMPONENTS.length)
  })
})

describe('a tool that was deployed a moment ago', () => {
  it('is found after that time', async () => {
    const clock = { now: 5_000 }
    const world = worldAt(clock)
    await world.rpc(LIST)
    await world.rpc(call('new', {}))
    world.components['two'] = several([tool('new')])
    expect(await world.rpc(call('new', {}))).toMatchObject({ error: { message: 'Tool not found' } })
    clock.now += TRUSTED_MS
    expect(await world.rpc(call('new', {}))).toMatchObject({ result: text('new') })
  })

  it('is found at once by the first calls of all, which come side by side', async () => {
    const world = worldAt({ now: 5_000 })
    const answers = await Promise.all(COMPONENTS.map((name) => world.rpc(call(`of-${name}`, {}))))
    expect(answers).toMatchObject(COMPONENTS.map((name) => ({ result: text(`of-${name}`) })))
  })

  it('is found whatever time the store claims', async () => {
    const world = worldAt({ now: 5_000 })
    await world.rpc(LIST)
    const store = await world.platform.openKeyValue('default')
    await store.set('asked-again:*', '9000000000000000')
    world.components['two'] = several([tool('new')])
    expect(await world.rpc(call('new', {}))).toMatchObject({ result: text('new') })
  })
})
