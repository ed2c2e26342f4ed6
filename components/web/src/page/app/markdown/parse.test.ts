import { describe, expect, it } from 'vitest'
import { parse, type Parsed } from './parse.ts'

const TEXT = `# Title

A paragraph with **bold**, a [link](https://a.example) and a
second line.

1. first
   - nested

   more of the first
2. second

> A quote
> - with a list

| a | b |
|---|---|
| 1 | 2 |

\`\`\`js
const a = 1

\`\`\`

Heading
-------

- [x] done
- [ ] to do

The end.
`

const inPieces = (text: string, ends: readonly number[]): Parsed => {
  let parsed: Parsed | undefined
  for (const end of [...ends, text.length]) parsed = parse(text.slice(0, end), parsed)
  return parsed ?? parse(text)
}

describe('a text that grows', () => {
  it('has the same blocks as if it had come at once, wherever it is cut', () => {
    const whole = parse(TEXT)
    for (let cut = 1; cut < TEXT.length; cut++) {
      expect([...inPieces(TEXT, [cut]).blocks], `cut at ${cut}`).toEqual([...whole.blocks])
    }
    const each = Array.from({ length: TEXT.length - 1 }, (_, place) => place + 1)
    expect([...inPieces(TEXT, each).blocks]).toEqual([...whole.blocks])
  })

  it('keeps its finished blocks as they are, so that they are not drawn again', () => {
    const before = parse('One.\n\nTwo.\n\nThree.\n\nFour')
    const after = parse('One.\n\nTwo.\n\nThree.\n\nFour.\n\nFive', before)
    expect(after.blocks[0]).toBe(before.blocks[0])
    expect(after.blocks[2]).toBe(before.blocks[2])
    expect(parse(after.text, after)).toBe(after)
  })

  it('is parsed again when a later definition completes a reference at its beginning', () => {
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
