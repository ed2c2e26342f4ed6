import fc from 'fast-check'
import { canonicalJson } from 'ftl-contract'
import { expect, it } from 'vitest'
import { auditLine, type AuditEntry } from './audit-line.ts'
import { shortText } from '../short-text.ts'

const ENTRY: AuditEntry = {
  event: 'call',
  time: '2026-11-24T10:00:00.000Z',
  request: 'r',
  face: 'mcp',
  outcome: 'ok',
}

it('is one line of JSON, whatever a client sends, without characters that a terminal acts on', () => {
  const nasty = fc.string({ unit: 'binary', maxLength: 200 })
  fc.assert(
    fc.property(nasty, nasty, (tool, name) => {
      const line = auditLine({ ...ENTRY, tool, client: { name } })
      expect(line.startsWith('{"audit":1,')).toBe(true)

      expect(line).not.toMatch(/[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]/)
      const { tool: read } = JSON.parse(line) as { tool: string }
      expect(read).toBe(tool.toWellFormed() === tool ? tool : read)
    }),
  )
})

it('names a line separator, a bidi mark and a control character by their codes', () => {
  const line = auditLine({ ...ENTRY, tool: 'a\u2028b\u202ec\u0085d\u007fe\nf' })
  expect(line).toContain('"a\\u2028b\\u202ec\\u0085d\\u007fe\\nf"')
})

it('leaves out arguments that are too long, and keeps their digest', () => {
  const values = { text: 'x'.repeat(20_000) }
  const line = auditLine({ ...ENTRY, arguments: { sha256: 'd', values } })
  expect(line.length).toBeLessThan(1000)
  expect(JSON.parse(line)).toMatchObject({ arguments: { sha256: 'd', values: '[too long]' } })
})

it('cuts the texts of strangers', () => {
  expect(shortText('x'.repeat(1000))).toHaveLength(257)
  expect([shortText(''), shortText(7), shortText(null)]).toEqual([undefined, undefined, undefined])
})

it('a digest does not depend on the order of members', () => {
  const shuffled = (value: Record<string, unknown>) =>
    Object.fromEntries(Object.entries(value).reverse())
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
      expect(canonicalJson(shuffled(value))).toBe(canonicalJson(value))
      expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)))
    }),
  )
})

// The example of RFC 8785, section 3.2.2, without the numbers that JSON.stringify writes as the RFC says.
it('canonical JSON sorts by code units', () => {
  const value = {
    '\u20ac': 1,
    '\r': 2,
    '\ufb33': 3,
    '1': 4,
    '\ud83d\ude00': 5,
    '\u0080': 6,
    '\u00f6': 7,
  }
  expect(Object.keys(JSON.parse(canonicalJson(value)) as object).slice(1)).toEqual([
    '\r',
    '\u0080',
    '\u00f6',
    '\u20ac',
    '\ud83d\ude00',
    '\ufb33',
  ])
})
