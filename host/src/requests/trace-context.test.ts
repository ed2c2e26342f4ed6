import { expect, test } from 'vitest'
import { parseTraceParent, traceHeaders } from './trace-context.ts'

const TRACE = '0af7651916cd43dd8448eb211c80319c'
const SPAN = 'b7ad6b7169203331'

test('a traceparent is read and written as W3C has it', () => {
  const context = parseTraceParent(`00-${TRACE}-${SPAN}-01`, 'vendor=1')
  expect(context).toEqual({ traceId: TRACE, spanId: SPAN, sampled: true, state: 'vendor=1' })
  expect(context && traceHeaders(context)).toEqual([
    ['traceparent', `00-${TRACE}-${SPAN}-01`],
    ['tracestate', 'vendor=1'],
  ])
})

test('what is not sampled is passed on as that, and an empty state not at all', () => {
  const context = parseTraceParent(`00-${TRACE}-${SPAN}-00`)
  expect(context && traceHeaders(context)).toEqual([['traceparent', `00-${TRACE}-${SPAN}-00`]])
})

test('versions to come are read as far as they are known', () => {
  expect(parseTraceParent(`cc-${TRACE}-${SPAN}-01-what-ever`)?.traceId).toBe(TRACE)
})

test.each([
  [undefined],
  [''],
  [`ff-${TRACE}-${SPAN}-01`],
  [`00-${'0'.repeat(32)}-${SPAN}-01`],
  [`00-${TRACE}-${'0'.repeat(16)}-01`],
  [`00-${TRACE.toUpperCase()}-${SPAN}-01`],
  [`00-${TRACE}-${SPAN}-01, 00-${TRACE}-${SPAN}-01x`],
  [`00-${TRACE.slice(1)}-${SPAN}-01`],
])('%s is none', (header) => {
  expect(parseTraceParent(header)).toBeUndefined()
})
