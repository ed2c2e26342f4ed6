// One component must not see what another keeps, under whatever label or key.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { attack } from './support/attack.ts'
import { type RunningApplication, startHostile } from './support/application.ts'
import { built } from './support/wat.ts'

let app: RunningApplication
beforeAll(async () => {
  // A guest that opens the label, reads and writes the key that its address names.
  const wasm = await built('test/fidelity/guest')
  const shared = '[component.left.tool.ftl]\nshared_stores = ["default"]'
  app = await startHostile(
    {
      victim: { wasm, stores: ['default'] },
      attacker: { wasm, stores: ['default'] },
      left: { wasm, stores: ['default'] },
      right: { wasm, stores: ['default'] },
    },
    { toml: `${shared}\n${shared.replace('left', 'right')}\n`, keyValues: { seeded: 'yes' } },
  )
})
afterAll(() => app.close())

async function kv(component: string, query: string): Promise<Record<string, unknown>> {
  const response = await fetch(`${app.url}/${component}/kv?${query}`)
  return (await response.json()) as Record<string, unknown>
}

attack('a component reads what another has stored', async () => {
  await kv('victim', 'key=secret&set=mine')
  const seen = await kv('attacker', 'key=secret')
  expect(seen).toEqual({ value: null, exists: false, listed: false })
  return 'no such entry'
})

attack('a component changes and deletes what another has stored', async () => {
  await kv('victim', 'key=kept&set=mine')
  await kv('attacker', 'key=kept&set=forged')
  await kv('attacker', 'key=kept&delete')
  expect(await kv('victim', 'key=kept')).toMatchObject({ value: 'mine' })
  return 'the entry is as it was'
})

attack('a component opens the store of another by its name', async () => {
  await kv('victim', 'key=secret&set=mine')
  expect(await kv('attacker', 'label=victim.default&key=secret')).toEqual({
    payload: { tag: 'access-denied' },
  })
  return 'access-denied'
})

test('components that share a label by their manifests see the same entries', async () => {
  await kv('left', 'key=together&set=both')
  expect(await kv('right', 'key=together')).toMatchObject({ value: 'both' })
  expect(await kv('victim', 'key=together')).toMatchObject({ value: null })
})

test('entries given at the start are in the default store of every component', async () => {
  for (const component of ['victim', 'attacker', 'left']) {
    expect(await kv(component, 'key=seeded')).toMatchObject({ value: 'yes' })
  }
})
