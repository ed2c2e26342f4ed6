import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Fixture, startFixture } from './fixture.ts'

let host: Fixture
beforeAll(async () => {
  host = await startFixture()
})
afterAll(() => host.close())

test('no request sees what another one left behind, and randomness never repeats', async () => {
  const random = new Set<unknown>()
  let requests = 0
  await Promise.all(
    Array.from({ length: 4 }, async () => {
      for (let i = 0; i < 100; i++) {
        const answer = await host.json('/state')
        expect(answer['counts']).toEqual([1, 1, 1])
        for (const value of answer['random'] as unknown[]) random.add(value)
        requests++
      }
    }),
  )
  expect(requests).toBe(400)
  expect(random.size).toBe(3 * 400)
})

test('an instance whose memory grew starts small again', async () => {
  for (let i = 0; i < 12; i++) {
    expect(await host.text('/grow?mb=40')).toBe(String(40 * 1024 * 1024))
    expect((await host.json('/state'))['counts']).toEqual([1, 1, 1])
  }
})

test('a request that wants more memory than allowed fails alone', async () => {
  const greedy = await fetch(`${host.url}/grow?mb=400`)
  expect([409, 500]).toContain(greedy.status)
  await greedy.text()
  expect((await host.json('/state'))['counts']).toEqual([1, 1, 1])
})
