import { expect, test } from 'vitest'
import { RequestSpans } from './request-spans.ts'

const CONTEXT = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), sampled: true, state: '' }

test('a span lies below the request, or below the one it was started under', () => {
  const log = new RequestSpans(CONTEXT)
  const outer = log.start('outer')
  const inner = log.start('inner', outer.id)
  inner.end('broke')
  outer.end()
  const { spans } = log.finish()
  expect(spans).toMatchObject([
    { name: 'outer', parent: CONTEXT.spanId, error: undefined },
    { name: 'inner', parent: outer.id, error: 'broke' },
  ])
  expect(outer.id).toMatch(/^[0-9a-f]{16}$/)
  expect(log.below(outer)).toEqual({ ...CONTEXT, spanId: outer.id })
})

test('what has not ended when all is over was given up, and what has is left as it is', () => {
  const log = new RequestSpans(CONTEXT)
  log.start('done').end()
  log.start('hanging')
  expect(log.finish().spans.map(({ error }) => error)).toEqual([undefined, 'was given up'])
})

test('a guest that does something a million times does not fill the memory', () => {
  const log = new RequestSpans(CONTEXT)
  for (let i = 0; i < 5000; i++) log.start('spin_key_value.get').end()
  expect(log.finish()).toMatchObject({ spans: { length: 1000 }, dropped: 4000 })
})

test('calls made within a span that is dropped belong to its parent', () => {
  const log = new RequestSpans(CONTEXT)
  const parent = log.start('call')
  for (let i = 0; i < 1000; i++) log.start('spin_key_value.get').end()
  const dropped = log.start('dropped', parent.id)
  expect(log.below(dropped).spanId).toBe(parent.id)
})

test('without sampling nothing is kept, and callees are given the parent that exists', () => {
  const log = new RequestSpans({ ...CONTEXT, sampled: false })
  const span = log.start('call')
  expect(log.below(span).spanId).toBe(CONTEXT.spanId)
  expect(log.finish()).toEqual({ spans: [], dropped: 0 })
})
