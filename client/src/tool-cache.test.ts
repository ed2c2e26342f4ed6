import type { Tool } from '@modelcontextprotocol/client'
import { beforeEach, expect, it } from 'vitest'
import { type FetchedTools, ToolCache } from './tool-cache.ts'

const listOf = (...names: string[]): Tool[] =>
  names.map((name) => ({ name, inputSchema: { type: 'object' as const } }))

let now: number
let fetches: number
let offered: FetchedTools
let cache: ToolCache
beforeEach(() => {
  now = 0
  fetches = 0
  offered = { tools: listOf('a'), announced: true }
  cache = new ToolCache(
    async () => {
      fetches++
      return offered
    },
    () => now,
  )
})

it('a list whose changes are announced is fetched once, until one is', async () => {
  await cache.get()
  now = 23 * 3_600_000
  await cache.get()
  expect(fetches).toBe(1)
  cache.invalidate()
  offered = { ...offered, tools: listOf('b') }
  expect(await cache.get()).toEqual(listOf('b'))
  expect(fetches).toBe(2)
})

it('a list is good for as long as the server says', async () => {
  offered = { ...offered, ttlMs: 1000 }
  await cache.get()
  now = 999
  await cache.get()
  expect(fetches).toBe(1)
  now = 1000
  await cache.get()
  expect(fetches).toBe(2)
})

it('a list of which nothing is said is good for five minutes', async () => {
  offered = { ...offered, announced: false }
  await cache.get()
  now = 5 * 60_000 - 1
  await cache.get()
  expect(fetches).toBe(1)
  now++
  await cache.get()
  expect(fetches).toBe(2)
})

it('who asks at the same time shares one request', async () => {
  await Promise.all([cache.get(), cache.get(), cache.get()])
  expect(fetches).toBe(1)
})

it('an answer that was on its way when the list changed is not kept', async () => {
  const old = cache.get()
  cache.invalidate()
  offered = { ...offered, tools: listOf('b') }
  await old
  expect(await cache.get()).toEqual(listOf('b'))
  expect(cache.last).toEqual(listOf('b'))
})

it('a fetch that fails is tried again, and what was known stays known', async () => {
  let broken = false
  const flaky = new ToolCache(
    () => (broken ? Promise.reject(new Error('gone')) : Promise.resolve(offered)),
    () => now,
  )
  await flaky.get()
  broken = true
  await expect(flaky.get(true)).rejects.toThrow('gone')
  expect(flaky.last).toEqual(listOf('a'))
  broken = false
  await expect(flaky.get(true)).resolves.toEqual(listOf('a'))
})
