import { expect, test } from 'vitest'
import { LargeAnswers, type Turn } from './large-answers.ts'

const LARGE = 1024 * 1024

const turns = (answers: LargeAnswers, count: number): Turn[] =>
  Array.from({ length: count }, () => answers.turn())

async function hasCome(wait: Promise<void> | undefined): Promise<boolean> {
  return Promise.race([wait?.then(() => true), Promise.resolve(false)]).then(Boolean)
}

test('small answers never wait', () => {
  for (const turn of turns(new LargeAnswers(), 10)) expect(turn.enter(1024)).toBeUndefined()
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

test('a request that has its turn does not wait for its other answers', () => {
  const answers = new LargeAnswers()
  const [one, ...others] = turns(answers, 3)
  for (const turn of others) void turn.enter(LARGE)
  for (let nth = 0; nth < 40; nth++) expect(one?.enter(LARGE)).toBeUndefined()
})

test('one that ends while it waits leaves its turn to the next', async () => {
  const [first, , , fourth, fifth] = turns(new LargeAnswers(), 5).map((turn) => {
    void turn.enter(LARGE)
    return turn
  })
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
