import { expect, it, vi } from 'vitest'
import { Connection } from './connection.ts'

it('tells everybody who works for the client that it has left, once', () => {
  const connection = new Connection()
  const [stop, stopped] = [vi.fn(), vi.fn()]
  connection.onLeave(stop)
  connection.onLeave(stopped)
  connection.offLeave(stopped)
  const { signal } = connection
  expect([connection.hasLeft, signal.aborted]).toEqual([false, false])
  connection.leave()
  connection.leave()
  expect([connection.hasLeft, signal.aborted]).toEqual([true, true])
  expect(stop.mock.calls).toEqual([[signal.reason]])
  expect(stopped).not.toHaveBeenCalled()
})

it('has a signal that is aborted if it is first asked for after that', () => {
  const connection = new Connection()
  connection.leave()
  expect(connection.signal.reason).toEqual(new Error('the client has gone'))
})

it('goes on telling the others if one of them stops listening meanwhile', () => {
  const connection = new Connection()
  const last = vi.fn()
  const first = () => connection.offLeave(first)
  connection.onLeave(first)
  connection.onLeave(last)
  connection.leave()
  expect(last).toHaveBeenCalledOnce()
})
