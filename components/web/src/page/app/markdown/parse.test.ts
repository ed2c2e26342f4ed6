import { tests } from 'commonmark-spec'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parse, type Parsed } from './parse.ts'

const inPieces = (text: string, ends: readonly number[]): Parsed => {
  let parsed: Parsed | undefined
  for (const end of [...ends, text.length]) parsed = parse(text.slice(0, end), parsed)
  return parsed ?? parse(text)
}

describe('a text that grows', () => {
  it('has at its end the same blocks as if it had come at once, wherever it is cut', () => {
    const examples = fc.constantFrom(...tests.map(({ markdown }) => markdown.replaceAll('→', '\t')))
    const texts = fc.array(examples, { minLength: 1, maxLength: 6 })
    const cuts = fc.array(fc.nat({ max: 400 }), { maxLength: 12 })
    fc.assert(
      fc.property(texts, fc.constantFrom('', '\n'), cuts, (parts, between, ends) => {
        const text = parts.join(between)
        const sorted = ends.filter((end) => end < text.length).sort((a, b) => a - b)
        expect([...inPieces(text, sorted).blocks]).toEqual([...parse(text).blocks])
      }),
      { numRuns: 400 },
    )
  })

  it('keeps its finished blocks as they are, so that they are not drawn again', () => {
    const before = parse('One.\n\nTwo.\n\nThree.\n\nFour')
    const after = parse('One.\n\nTwo.\n\nThree.\n\nFour.\n\nFive', before)
    expect(after.blocks[0]).toBe(before.blocks[0])
    expect(after.blocks[2]).toBe(before.blocks[2])
    expect(parse(after.text, after)).toBe(after)
  })

  it('is read anew when a definition comes that its beginning refers to', () => {
    const start = 'See [here].\n\nA.\n\nB.\n\nC.\n\n'
    const after = parse(`${start}[here]: https://a.example`, parse(start))
    expect(JSON.stringify(after.blocks[0])).toContain('https://a.example')
  })

  it('may become another text', () => {
    expect([...parse('Other.', parse('One.\n\nTwo.\n\nThree.')).blocks]).toEqual([
      ...parse('Other.').blocks,
    ])
  })
})
