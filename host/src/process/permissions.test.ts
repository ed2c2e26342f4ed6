import { expect, test } from 'vitest'
import { hostEnvironment } from './permissions.ts'

test('the process of the host has few pools of memory, unless the user wants more', () => {
  expect(hostEnvironment('/tmp/x', {})).toMatchObject({ MALLOC_ARENA_MAX: '2' })
  expect(hostEnvironment('/tmp/x', { MALLOC_ARENA_MAX: '8' })).toMatchObject({
    MALLOC_ARENA_MAX: '8',
  })
})

test('large allocations of the process never take room in the heap, unless the user wants it', () => {
  const name = 'MALLOC_MMAP_THRESHOLD_'
  expect(hostEnvironment('/tmp/x', {})).toMatchObject({ [name]: '1048576' })
  expect(hostEnvironment('/tmp/x', { [name]: '4096' })).toMatchObject({ [name]: '4096' })
})

test('it sees what Node and the C library read, and no other variable of the user', () => {
  const {
    MALLOC_ARENA_MAX: _arenas,
    MALLOC_MMAP_THRESHOLD_: _threshold,
    ...seen
  } = hostEnvironment('/tmp/x', {
    TZ: 'UTC',
    OTEL_SERVICE_NAME: 'edge',
    AWS_SECRET_ACCESS_KEY: 'not for guests',
    NODE_OPTIONS: '--require ./mine.js',
  })
  const folder = { TMPDIR: '/tmp/x', TEMP: '/tmp/x', TMP: '/tmp/x' }
  expect(seen).toEqual({ TZ: 'UTC', OTEL_SERVICE_NAME: 'edge', ...folder })
})
