// Components inside of one component do not trust each other: each has its own handles.
import { expect, test } from 'vitest'
import { attack } from './support/attack.ts'
import { instantiateComponent, request } from './support/run-component.ts'
import { composed } from './support/composed.ts'

const failureOf = async (inner: string, give: 'own' | 'borrow' = 'own') =>
  (await request(await instantiateComponent(await composed(inner, give)))).failure

test('an inner component gets one handle, its first', async () => {
  const first = '(if (i32.ne (local.get $given) (i32.const 1)) (then (unreachable)))'
  expect(await failureOf(first)).toBeUndefined()
  expect(await failureOf(`${first} (call $drop (local.get $given))`)).toBeUndefined()
  expect(await failureOf(`${first} (call $drop (local.get $given))`, 'borrow')).toBeUndefined()
})

attack('an inner component guesses the handles of the outer one', async () => {
  for (const handle of [2, 3, 4, 5]) {
    const failure = await failureOf(`(call $drop (i32.const ${handle}))`)
    expect(failure).toMatch(/handle \d is not a Fields/)
  }
  return 'handle 2 is not a Fields'
})

attack('fields are dropped as a request', async () => {
  const failure = await failureOf('(call $drop-request (local.get $given))')
  expect(failure).toContain('handle 1 is not a IncomingRequest')
  return String(failure)
})

attack('a component keeps what was lent to it', async () => {
  const failure = await failureOf('', 'borrow')
  expect(failure).toContain('kept a borrowed handle')
  return String(failure)
})
