import { memoryPlatform } from 'ftl-platform/memory'
import { expect, test } from 'vitest'
import { tokenBudget } from './token-budget.ts'
import { counted, tokensOf } from './tokens-of.ts'

const NOON = Date.parse('2026-11-24T12:00:00Z')

function chat(limit: string, stores = ['default']) {
  const clock = { now: NOON }
  const platform = memoryPlatform({
    variables: { chat_tokens_per_day: limit },
    keyValueStores: stores,
    now: () => clock.now,
  })
  const of = (principal?: string) => tokenBudget(platform, principal)
  return { clock, of }
}

test('a caller who has used up the tokens of a day is refused until the next one', async () => {
  const { clock, of } = chat('1000')
  const ada = await of('ada')
  await ada?.check()
  await ada?.spend(400)
  await ada?.check()
  await ada?.spend(700)
  await expect(ada?.check()).rejects.toMatchObject({
    status: 429,
    code: 'limit_reached',
    message: 'You have used up your 1000 tokens per day. Retry in 12 h.',
  })
  await expect((await of('bob'))?.check()).resolves.toBeUndefined()
  clock.now += 12 * 3_600_000
  await expect(ada?.check()).resolves.toBeUndefined()
})

test('without a limit no store is needed', async () => {
  expect(await tokenBudget(memoryPlatform({ keyValueStores: [] }), 'ada')).toBeUndefined()
})

test.each([
  ['many', ['default'], 'whole number'],
  ['10', [], 'key_value_stores'],
])('the limit %s with the stores %j is refused', async (limit, stores, why) => {
  await expect(chat(limit, stores).of('ada')).rejects.toThrow(why)
})

test('the tokens of a turn are those that the server counted', () => {
  expect(tokensOf([], { content: 'x'.repeat(4000), calls: [], tokens: 7 })).toBe(7)
})

test('otherwise they are estimated from all text, and from pictures', () => {
  const messages = [
    { role: 'user' as const, content: 'x'.repeat(400), images: [{ url: 'http://x' }] },
    { role: 'system' as const, content: 'y'.repeat(40) },
  ]
  const calls = [{ id: '1', name: 'a'.repeat(4), arguments: '{}' }]
  expect(tokensOf(messages, { content: 'z'.repeat(34), calls })).toBe(120 + 1000)
})

test('what is not a number of tokens does not count', () => {
  expect([counted('7', -1, NaN, null), counted(3, undefined, 4)]).toEqual([undefined, 7])
})
