import { describe, expect, it } from 'vitest'
import { type App, createApp } from './app.ts'
import type { Feature } from './feature.ts'
import { FEATURES } from './features.ts'
import { call, createWorld, several, text, tool } from './testing/components.ts'

function world(app: App) {
  return createWorld({
    app,
    components: { two: several([tool('one'), tool('other')], (name) => text(name)) },
  })
}

async function expectServed(features: readonly Feature[]): Promise<void> {
  const one = world(createApp({ features }))
  const listed = await one.rpc({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} })
  expect(listed).toMatchObject({ result: { tools: [{ name: 'one' }, { name: 'other' }] } })
  expect(await one.rpc(call('one', {}))).toMatchObject({ result: { content: [{ text: 'one' }] } })
  expect(await one.rpc(call('nope', {}))).toMatchObject({ error: {} })
  for (const path of ['/health', '/tools', '/tools?query=one', '/openapi.json']) {
    const response = await one.send(new Request(`http://localhost:3000${path}`))
    expect([path, response.status]).toEqual([path, 200])
  }
  const job = await one.send(new Request('http://localhost:3000/jobs/unknown'))
  expect(job.status).toBe(404)
}

it('takes no feature whose setting another one has', () => {
  const policy: Feature = { name: 'mine', settings: { policy: ['mine', (text: string) => text] } }
  expect(() => createApp({ features: [...FEATURES, policy] })).toThrow(
    'The feature "mine" has a setting "policy", which is taken: give it another name.',
  )
})

describe('the kernel lists and calls tools', () => {
  it('without any feature', () => expectServed([]))

  it.each(FEATURES.map((feature) => [feature.name, feature] as const))(
    'with the feature %s alone',
    (_, feature) => expectServed([feature]),
  )

  it.each(FEATURES.map((feature) => [feature.name, feature] as const))(
    'with all features but %s',
    (_, left) => expectServed(FEATURES.filter((feature) => feature !== left)),
  )
})
