import { describe, expect, it } from 'vitest'
import { readReport } from './engine-report.ts'

const report = (value: object) => JSON.stringify({ error: '', stack: '', causes: [], ...value })
const STACK =
  '    at parse (native)\n    at Q (bundle.js:5:12)\n    at <anonymous> (bundle.js:7:3)\n'

describe('the report of the engine', () => {
  it('has the place before the words, and names of functions nowhere', () => {
    const text = readReport(report({ error: 'TypeError: no', stack: STACK }), 'echo')
    expect(text).toBe('echo.js:5:12 TypeError: no\necho.js:7:3')
  })

  it('keeps a message of several lines, also one that names the bundle', () => {
    const error = 'Error: one\nsee bundle.js:1:1'
    expect(readReport(report({ error, stack: '' }), 'echo')).toBe(error)
  })

  it('shows causes', () => {
    const causes = [{ error: 'RangeError: far', stack: '    at f (bundle.js:1:2)\n' }]
    const text = readReport(report({ error: 'Error: near', causes }), 'echo')
    expect(text).toBe('Error: near\necho.js:1:2 caused by RangeError: far')
  })

  it.each(['{"error":"logged"}', '{"error":', '{"error":1,"stack":"","causes":[]}'])(
    'is not what the module logged: %s',
    (logged) => {
      const printed = `${logged}\n${report({ error: 'Error: real' })}\n`
      expect(readReport(printed, 'echo')).toBe('Error: real')
      expect(readReport(logged, 'echo')).toBe(logged)
    },
  )
})
