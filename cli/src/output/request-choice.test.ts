import { expect, test } from 'vitest'
import type { RequestEntry } from 'ftl-host'
import { isShown, REQUEST_CHOICES } from './request-choice.ts'

const call: RequestEntry = {
  method: 'POST',
  path: '/mcp',
  route: '/...',
  components: ['gateway', 'echo'],
  status: 200,
  milliseconds: 2,
  bytes: 74,
  outcome: 'answered',
  reason: undefined,
  requestId: undefined,
}

const chosen = (entry: Partial<RequestEntry>) =>
  REQUEST_CHOICES.filter((choice) => isShown({ ...call, ...entry }, { choice }))

test.each<[string, Partial<RequestEntry>, string[]]>([
  ['a call', {}, ['all', 'calls']],
  ['a read that went well', { method: 'GET', path: '/jobs/1' }, ['all']],
  ['a read of something that is not there', { method: 'GET', status: 404 }, ['all', 'calls']],
  ['a failure', { method: 'GET', status: 500 }, ['all', 'calls', 'problems']],
  ['an answer broken off', { outcome: 'cut' }, ['all', 'calls', 'problems']],
  ['a client that left', { outcome: 'left' }, ['all', 'calls']],
  ['a health check', { method: 'GET', path: '/.well-known/spin/health' }, []],
])('%s', (_, entry, choices) => {
  expect(chosen(entry)).toEqual(choices)
})

test('who follows a component sees the requests that reached it', () => {
  expect(isShown(call, { choice: 'all', follow: ['echo'] })).toBe(true)
  expect(isShown(call, { choice: 'all', follow: ['other'] })).toBe(false)
})
