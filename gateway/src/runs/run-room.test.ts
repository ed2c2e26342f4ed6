import { jsonOf } from 'ftl-platform'
import { memoryPlatform } from 'ftl-platform/memory'
import { expect, it } from 'vitest'
import { shippedScope } from '../testing/shipped-scope.ts'
import { StoreFull } from '../store-failure.ts'
import { saveCall } from './journal.ts'
import { keepResult, readPage } from './kept-result.ts'
import { type KeptRun, loadRun, saveRun, saveRunCall } from './kept-run.ts'
import { endRun, takeRunRoom } from './run-expiry.ts'

const NOW = 1_000_000
const KIB = 1024
const idOf = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`

function world(room: number) {
  const clock = { now: NOW }
  const variables = { call_settings: `store_bytes=${room}` }
  const platform = memoryPlatform({ variables, conditionalWrites: true, now: () => clock.now })
  const scope = { ...shippedScope(platform, 'test'), principal: 'ada' }
  const taken = async () => {
    const store = await platform.openKeyValue('default')
    const all = jsonOf<[string, [number]][]>(await store.get('gateway:shares')) ?? []
    return Object.fromEntries(all.map(([holder, [bytes]]) => [holder, bytes]))
  }
  const keys = async () => (await (await platform.openKeyValue('default')).keys()).sort()
  return { platform, clock, scope, taken, keys }
}

const runOf = (id: string): KeptRun => ({
  id,
  owner: 'ada',
  state: 'paused',
  attempt: 1,
  nonce: 'n',
  beatAt: NOW,
  restarts: 0,
  startedAt: NOW,
  expiresAt: NOW + 1000,
  digest: '',
})

const done = (characters: number) => ({
  digest: '',
  called: 'a.b',
  state: 'done' as const,
  result: { content: [{ type: 'text' as const, text: 'x'.repeat(characters) }] },
})

it('a run takes room when it pauses and for long results of its calls, and gives all of it back', async () => {
  const { scope, platform, taken, keys } = world(8192 * KIB)
  const run = runOf(idOf(1))
  await saveRun(scope, run)
  await saveRunCall(scope, run.id, {
    component: 'code',
    paths: ['/'],
    args: {},
    context: { protocol: '' },
    timeoutMs: 1,
    maxCalls: 1,
    asksByJob: false,
  } as unknown as Parameters<typeof saveRunCall>[2])
  expect(await saveCall(scope, run, 1, done(10))).toBe(true)
  expect(await taken()).toEqual({})
  expect(await saveCall(scope, run, 2, done(300 * KIB))).toBe(true)
  expect(await taken()).toEqual({ '.runs': (256 + 304) * KIB })
  await takeRunRoom(scope, run)
  expect(await taken()).toEqual({ '.runs': (256 + 304) * KIB })
  await endRun(scope, run.id)
  await platform.settled()
  expect(await taken()).toEqual({ '.runs': 0 })
  expect((await keys()).filter((key) => key.includes(run.id))).toEqual([])
})

it('a caller cannot fill the store with paused runs; what expires makes room', async () => {
  const { scope, clock, platform, keys } = world(4096 * KIB)
  let kept = 0
  await expect(
    (async () => {
      for (; kept < 100; kept++) {
        const run = runOf(idOf(kept))
        await saveRun(scope, run)
        await takeRunRoom(scope, run)
      }
    })(),
  ).rejects.toThrow('no space left for your programs')
  expect(kept).toBe(5)
  clock.now += 2000
  const next = { ...runOf(idOf(99)), expiresAt: clock.now + 1000 }
  await takeRunRoom(scope, next)
  await platform.settled()
  expect(await loadRun(scope, idOf(0))).toBeUndefined()
  expect((await keys()).filter((key) => key.includes(idOf(0)))).toEqual([])
})

it('a call whose long result has no room is not journaled, and a short one still is', async () => {
  const { scope } = world(1024 * KIB)
  const run = runOf(idOf(1))
  expect(await saveCall(scope, run, 1, done(200 * KIB))).toBe(false)
  expect(await saveCall(scope, run, 2, done(10))).toBe(true)
})

it('long results of programs are limited by their bytes, and the newest can be read', async () => {
  const { scope, taken } = world(8192 * KIB)
  for (let i = 0; i < 8; i++) {
    await keepResult(scope, idOf(i), 'ü'.repeat(400_000), 1000)
  }
  expect((await taken())['.results']).toBeLessThanOrEqual((8192 * KIB) / 3)
  expect(await readPage(scope, idOf(7))).toMatchObject({ of: 400_000 })
  expect(await readPage(scope, idOf(0))).toBeUndefined()
  const tooLarge = keepResult(scope, idOf(9), 'ü'.repeat(2_000_000), 1000)
  await expect(tooLarge).rejects.toThrow(StoreFull)
  expect(await readPage(scope, idOf(7))).toMatchObject({ of: 400_000 })
})
