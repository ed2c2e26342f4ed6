import { BodyTooLarge, DeadlineExceeded } from 'ftl-http'
import { expect, it } from 'vitest'
import { RemoteError, toRemoteError } from './remote-error.ts'

it.each([
  [new DeadlineExceeded(50), 'timeout', 'gave no answer within 50 ms'],
  [new Error('ECONNRESET at 10.1.2.3'), 'unreachable', 'broke off its answer'],
  [undefined, 'unreachable', 'broke off its answer'],
])('%s is the failure of a server, without the words of the engine', (error, kind, message) => {
  expect(toRemoteError(error, 'broke off its answer')).toMatchObject({ kind, message })
})

it('an answer that is too large violates the protocol', () => {
  expect(toRemoteError(new BodyTooLarge(9), '').kind).toBe('violation')
})

it('a failure of a server stays what it is', () => {
  const error = new RemoteError('rpc', 'answered with an error', { code: -32602 })
  expect(toRemoteError(error, '')).toBe(error)
})
