import { describe, expect, it } from 'vitest'
import { createWorld, several, tool } from '../../testing/components.ts'

const get = async (world: ReturnType<typeof createWorld>, path: string) => {
  const response = await world.send(new Request(`http://localhost:3000${path}`))
  return { status: response.status, body: (await response.json()) as unknown }
}

describe('GET /health', () => {
  it('answers without asking any component', async () => {
    const world = createWorld({ components: { one: several([tool('a')]) } })
    expect(await get(world, '/health')).toEqual({ status: 200, body: { status: 'ok' } })
    expect(world.log).toEqual([])
    // Which store it has is all that it needs to know.
    expect(world.reads).toEqual(['own_store'])
  })
})

describe('GET /health/components', () => {
  it('reports every component', async () => {
    const world = createWorld({
      components: { one: several([tool('a'), tool('b')]), two: undefined },
    })
    expect(await get(world, '/health/components')).toEqual({
      status: 200,
      body: {
        status: 'degraded',
        components: [
          {
            component: 'one',
            status: 'ok',
            tools: 2,
            digest: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
          },
          { component: 'two', status: 'unavailable', reason: 'it cannot be reached', tools: 0 },
        ],
      },
    })
  })

  it('is ok when all are', async () => {
    const world = createWorld({ components: { one: several([tool('a')]) } })
    expect(await get(world, '/health/components')).toMatchObject({ body: { status: 'ok' } })
  })

  it.each([
    ['off', 'ok'],
    ['down', 'degraded'],
  ])('with bridge_url %s reports the bridge, and the status %s', async (bridge, status) => {
    const components = { one: several([tool('a')]) }
    const world = createWorld({ components, variables: { bridge_url: bridge } })
    expect(await get(world, '/health/components')).toMatchObject({ body: { status, bridge } })
  })

  it('names a variable that is unusable', async () => {
    const world = createWorld({ variables: { tool_components: 'a b' } })
    expect(await get(world, '/health/components')).toMatchObject({
      status: 500,
      body: { error: { code: 'configuration' } },
    })
  })
})

it('an unknown path is 404 in JSON', async () => {
  expect(await get(createWorld(), '/nothing')).toMatchObject({
    status: 404,
    body: { error: { code: 'not_found' } },
  })
})
