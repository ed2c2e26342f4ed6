import { memoryPlatform } from 'ftl-platform/memory'
import { expect, it } from 'vitest'
import { shippedScope } from '../testing/shipped-scope.ts'
import { useOnce } from './used-approvals.ts'

const ids = ['abc00000', 'abc11111', 'abc22222']

it('of uses at the same moment one is the first where the store compares, and all are recorded', async () => {
  const variables = { own_store: 'default' }
  const platform = memoryPlatform({ variables, now: () => 1_000, conditionalWrites: true })
  const uses = [...ids, ...ids, ...ids].map((id) =>
    useOnce(shippedScope(platform, 'test'), id, 9_000).then((isFirst) => isFirst && id),
  )
  const first = (await Promise.all(uses)).filter((id) => id !== false)
  expect(first.sort()).toEqual(ids)
})

it('an approval is used once, and expired ones make room in their place', async () => {
  let now = 1_000
  const platform = memoryPlatform({ variables: { own_store: 'default' }, now: () => now })
  const scope = shippedScope(platform, 'test')
  const [one = '', two = '', three = ''] = ids
  expect(await useOnce(scope, one, 2_000)).toBe(true)
  expect(await useOnce(scope, two, 9_000)).toBe(true)
  expect(await useOnce(scope, one, 2_000)).toBe(false)
  now = 3_000
  expect(await useOnce(scope, three, 9_000)).toBe(true)
  const store = await platform.openKeyValue('default')
  expect(await store.keys()).toEqual(['gateway:approval:abc'])
  const kept = new TextDecoder().decode(await store.get('gateway:approval:abc'))
  expect(JSON.parse(kept)).toEqual([
    [two, 9_000],
    [three, 9_000],
  ])
})
