import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { LargeAnswers, type Turn } from './large-answers.ts'

const MIB = 1024 * 1024
/** Three of them fill the room. */
const LARGE = 8 * MIB

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const turns = (answers: LargeAnswers, count: number): Turn[] =>
  Array.from({ length: count }, () => answers.turn())

async function hasCome(wait: Promise<void> | undefined): Promise<boolean> {
  return Promise.race([wait?.then(() => true), Promise.resolve(false)]).then(Boolean)
}

test('small answers never wait', () => {
  const answers = new LargeAnswers()
  for (const turn of turns(answers, 3)) void turn.enter(LARGE)
  for (const turn of turns(answers, 10)) expect(turn.enter(1024)).toBeUndefined()
})

test('the fourth request with a large answer waits for the end of another one', async () => {
  const [first, second, third, fourth, fifth] = turns(new LargeAnswers(), 5)
  for (const turn of [first, second, third]) expect(turn?.enter(LARGE)).toBeUndefined()
  const fourthTurn = fourth?.enter(LARGE)
  const fifthTurn = fifth?.enter(LARGE)
  expect(await hasCome(fourthTurn)).toBe(false)
  second?.end()
  await fourthTurn
  expect(await hasCome(fifthTurn)).toBe(false)
  fourth?.end()
  await fifthTurn
})

test('answers of half a MiB wait only if there are many', () => {
  const answers = new LargeAnswers()
  for (const turn of turns(answers, 48)) expect(turn.enter(MIB / 2)).toBeUndefined()
  for (const turn of turns(answers, 2)) expect(turn.enter(MIB / 2)).toBeInstanceOf(Promise)
})

test('the oldest request does not wait for its other answers, and the others do', async () => {
  const [oldest, second] = turns(new LargeAnswers(), 2)
  expect(oldest?.enter(LARGE)).toBeUndefined()
  expect(second?.enter(LARGE)).toBeUndefined()
  for (let nth = 0; nth < 40; nth++) expect(oldest?.enter(LARGE)).toBeUndefined()
  const further = second?.enter(LARGE)
  expect(await hasCome(further)).toBe(false)
  oldest?.end()
  await further
})

test('one that becomes the oldest goes on, although others came before it', async () => {
  const [oldest, second, third, fourth] = turns(new LargeAnswers(), 4)
  for (const turn of [oldest, second, third]) void turn?.enter(LARGE)
  for (let nth = 0; nth < 3; nth++) void oldest?.enter(LARGE)
  const before = fourth?.enter(LARGE)
  const further = second?.enter(LARGE)
  oldest?.end()
  await further
  expect(await hasCome(before)).toBe(false)
})

test('one that ends while it waits leaves its turn to the next', async () => {
  const [first, second, third, fourth, fifth] = turns(new LargeAnswers(), 5)
  for (const turn of [first, second, third, fourth]) void turn?.enter(LARGE)
  const fifthTurn = fifth?.enter(LARGE)
  fourth?.end()
  first?.end()
  await fifthTurn
})

test('one that has ended takes no turn', () => {
  const answers = new LargeAnswers()
  const [gone] = turns(answers, 1)
  gone?.end()
  void gone?.enter(LARGE)
  for (const turn of turns(answers, 3)) expect(turn.enter(LARGE)).toBeUndefined()
})

test('requests that wait for a slow server leave their turns to others', async () => {
  const [first, second, third, fourth] = turns(new LargeAnswers(), 4)
  for (const turn of [first, second, third]) void turn?.enter(LARGE)
  const fourthTurn = fourth?.enter(LARGE)
  await vi.advanceTimersByTimeAsync(9_000)
  // It goes on.
  void first?.enter(MIB)
  expect(await hasCome(fourthTurn)).toBe(false)
  await vi.advanceTimersByTimeAsync(1_000)
  await fourthTurn
})
