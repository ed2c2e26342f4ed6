import { expect, it, vi } from 'vitest'
import { logError } from './log.ts'

const circular: Record<string, unknown> = {}
circular['self'] = circular

it.each<[unknown, string]>([
  [{ code: 42 }, 'it failed: {"code":42} was thrown'],
  ['no luck', 'it failed: no luck was thrown'],
  [undefined, 'it failed: undefined was thrown'],
  [Symbol('s'), 'it failed: Symbol(s) was thrown'],
  [circular, 'it failed: [object Object] was thrown'],
])('logs what was thrown: %s', (thrown, text) => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => {})
  logError('it failed', thrown)
  expect(log.mock.calls).toEqual([[text]])
  log.mockRestore()
})
