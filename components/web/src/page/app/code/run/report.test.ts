import fc from 'fast-check'
import { expect, it } from 'vitest'
import { readReport } from './report.ts'

it('reads what a program returned, its console and its calls', () => {
  const report = readReport({
    content: [{ type: 'text', text: '[1]' }],
    structuredContent: { result: [1], console: [{ level: 'warning', text: 'x' }], calls: 2 },
    _meta: { 'ftl/trace': { ms: 9, calls: [{ tool: 'a.b', start: 1, ms: 3, outcome: 'ok' }] } },
  })
  expect(report).toMatchObject({
    hasResult: true,
    result: [1],
    console: [{ level: 'warning', text: 'x' }],
    calls: 2,
    trace: { ms: 9, calls: [{ tool: 'a.b', start: 1, ms: 3 }] },
  })
})

it('tells a program that returned nothing from one that returned null', () => {
  expect(readReport({ structuredContent: { calls: 0 } }).hasResult).toBe(false)
  const report = readReport({ structuredContent: { calls: 0, result: null } })
  expect(report).toMatchObject({ hasResult: true, result: null })
})

it('shows the text of a failure that is not of the program', () => {
  const content = [{ type: 'text', text: 'The run was ended.' }]
  const { error, hasResult } = readReport({ content, isError: true })
  expect({ message: error?.message, hasResult }).toEqual({
    message: 'The run was ended.',
    hasResult: false,
  })
})

it('reads anything without an exception', () => {
  const anything = fc.record(
    {
      content: fc.anything(),
      structuredContent: fc.anything(),
      _meta: fc.oneof(fc.anything(), fc.record({ 'ftl/trace': fc.anything() })),
      isError: fc.anything(),
    },
    { requiredKeys: [] },
  )
  fc.assert(
    fc.property(fc.oneof(anything, fc.anything()), (value) => {
      for (const { text } of readReport(value).console) expect(typeof text).toBe('string')
    }),
  )
})
