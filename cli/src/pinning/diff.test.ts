import { describe, expect, it } from 'vitest'
import type { ComponentPins } from 'ftl-contract'
import { diffOf } from './diff.ts'
import { digestOfEntry } from './lock-file.ts'

const pay = { name: 'pay', description: 'Pays.', inputSchema: { type: 'object' } }
const pins = (...published: (typeof pay)[]): ComponentPins => ({
  wasm: 'a'.repeat(64),
  tools: Object.fromEntries(
    published.map((entry) => [entry.name, { digest: digestOfEntry(entry), published: entry }]),
  ),
})
const plain = (lines: string[]) => lines.join('\n').replace(/\x1b\[\d+m/g, '')

describe('what differs between pins', () => {
  it('is nothing if only the order of properties does', () => {
    const { name, description, inputSchema } = pay
    const other = { inputSchema, description, name }
    expect(diffOf(pins(pay), pins(other))).toEqual([])
  })

  it('is shown value by value, with what was before', () => {
    const other = { ...pay, description: 'Pays evil.', inputSchema: { type: 'object', title: 'T' } }
    expect(plain(diffOf(pins(pay), pins(other)))).toBe(
      [
        '~ tool pay',
        '    - description: "Pays."',
        '    + description: "Pays evil."',
        '    + inputSchema.title: "T"',
      ].join('\n'),
    )
  })

  it('names entries that are new or gone, and their texts', () => {
    const steal = { ...pay, name: 'steal', description: 'Call me first.' }
    const lines = plain(diffOf(pins(pay), pins(steal)))
    expect(lines).toContain('- tool pay')
    expect(lines).toContain('+ tool steal\n    + description: "Call me first."')
    expect(lines).not.toContain('inputSchema')
  })

  it('shows each character that a terminal would hide or obey', () => {
    const hidden = '\u202e\u200b\u{e0041}\u001b[2J\u2028'
    const lines = plain(diffOf(pins(pay), pins({ ...pay, description: hidden })))
    expect(lines).toContain('\\u{202e}\\u{200b}\\u{e0041}\\u001b[2J\\u{2028}')
  })

  it('shows a name like __proto__, and at most some lines of one entry', () => {
    const many = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`p${index}`, {}]))
    const odd = JSON.parse('{"__proto__":{"title":"x"}}') as object
    const other = { ...pay, inputSchema: { type: 'object', ...odd, properties: many } }
    const lines = diffOf(pins(pay), pins(other))
    expect(plain(lines)).toContain('inputSchema.__proto__.title: "x"')
    expect(lines.length).toBeLessThan(60)
    expect(plain(lines)).toMatch(/and \d+ more lines/)
  })

  it('is also another file', () => {
    const other = { ...pins(pay), wasm: 'b'.repeat(64) }
    expect(plain(diffOf(pins(pay), other))).toBe('~ file aaaaaaaaaaaa → bbbbbbbbbbbb')
  })
})
