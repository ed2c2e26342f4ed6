import { expect, test } from 'vitest'
import { Claims, claimSlots } from './request-claims.ts'

test('a request belongs to the thread that takes it first', () => {
  const slots = claimSlots()
  const [main, worker] = [new Claims(slots), new Claims(slots)]
  expect(main.offer(7)).toBe(true)
  expect(worker.take(7)).toBe(true)
  expect(main.take(7)).toBe(false)
  expect(main.offer(8)).toBe(true)
  expect(main.take(8)).toBe(true)
  expect(worker.take(8)).toBe(false)
})

test('a slot is free again once its request was taken', () => {
  const claims = new Claims(claimSlots())
  for (let id = 1; id <= 10_000; id++) {
    expect(claims.offer(id)).toBe(true)
    expect(claims.take(id)).toBe(true)
  }
})

test('of two requests with the same slot, only the first is offered and can be taken', () => {
  const claims = new Claims(claimSlots())
  expect(claims.offer(5)).toBe(true)
  expect(claims.offer(5 + 4096)).toBe(false)
  expect(claims.take(5 + 4096)).toBe(false)
  expect(claims.take(5)).toBe(true)
})

test('identifiers beyond 32 bits are told apart', () => {
  const claims = new Claims(claimSlots())
  const id = 2 ** 40
  expect(claims.offer(id)).toBe(true)
  expect(claims.take(id + 4096)).toBe(false)
  expect(claims.take(id)).toBe(true)
})
