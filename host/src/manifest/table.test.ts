import { expect, test } from 'vitest'
import { nearest } from './table.ts'

const KEYS = ['source', 'allowed_outbound_hosts', 'key_value_stores', 'environment', 'files']

test.each([
  ['allowed_outbound_host', 'allowed_outbound_hosts'],
  ['key_value_store', 'key_value_stores'],
  ['Source', 'source'],
  ['enviroment', 'environment'],
  ['sauce', undefined],
  ['extra', undefined],
])('%s is taken for %s', (word, meant) => {
  expect(nearest(word, KEYS)).toBe(meant)
})
