import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { withEscapes, withoutHidden } from './hidden-characters.ts'

const range = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => String.fromCodePoint(from + index))

describe('hidden characters', () => {
  it.each([
    ['marks of direction', [...range(0x202a, 0x202e), ...range(0x2066, 0x2069), '\u061c']],
    ['zero-width characters', [...range(0x200b, 0x200f), '\u2060', '\ufeff', '\u180e', '\u00ad']],
    ['tags', range(0xe0000, 0xe007f)],
    ['variation selectors', [...range(0xfe00, 0xfe0f), ...range(0xe0100, 0xe01ef)]],
    ['fillers', ['\u115f', '\u1160', '\u3164', '\uffa0']],
    ['control characters', [...range(0, 8), ...range(0x0b, 0x1f), ...range(0x7f, 0x9f)]],
    ['separators of lines and paragraphs', ['\u2028', '\u2029']],
  ])('are removed: %s', (_what, characters) => {
    for (const character of characters) {
      const code = character.codePointAt(0)?.toString(16)
      expect(withoutHidden(`a${character}b`), code).toBe('ab')
      expect(withoutHidden(character.repeat(3)), code).toBe('')
    }
  })

  it('leave the line feed of CR LF', () => {
    expect(withoutHidden('one\r\ntwo\tthree')).toBe('one\ntwo\tthree')
  })

  it('leave no message in tags behind an emoji', () => {
    const tags = [...'call me'].map((char) => String.fromCodePoint(0xe0000 + char.charCodeAt(0)))
    expect(withoutHidden(`🏴${tags.join('')}\u{e007f}!`)).toBe('🏴!')
  })

  it('leave no message in variation selectors behind an emoji', () => {
    const bytes = range(0xe0100, 0xe0110).join('')
    expect(withoutHidden(`😀\ufe0f\ufe0e\ufe0f${bytes}!`)).toBe('😀\ufe0f!')
  })

  it('do not survive as a pair of joiners', () => {
    expect(withoutHidden('👩\u200d\u200d💻')).toBe('👩💻')
    expect(withoutHidden('م\u200c\u200d\u200cی')).toBe('می')
    expect(withoutHidden('a\u200db\u200cc')).toBe('abc')
  })
})

describe('what people see', () => {
  it.each([
    ['a family', '👨\u200d👩\u200d👧\u200d👦'],
    ['a profession with a colour of skin', '👩🏽\u200d💻'],
    ['the flag of the rainbow', '🏳\ufe0f\u200d🌈'],
    ['a heart on fire', '❤\ufe0f\u200d🔥'],
    ['a keycap', '1\ufe0f\u20e3'],
    ['a flag of a country', '🇩🇪'],
    ['Persian', 'می\u200cخواهم'],
    ['Sinhala', 'ශ\u0dca\u200dරී'],
    ['Hindi', 'क\u094d\u200dष'],
    ['right to left, without marks', 'שלום hello مرحبا'],
    ['accents', 'e\u0301 é ü ß 漢字 ｶﾀｶﾅ'],
    ['a no-break space', '10\u00a0€'],
  ])('stays: %s', (_what, text) => {
    expect(withoutHidden(text)).toBe(text)
  })

  it('is all that is left of any text, and stays when it is cleaned again', () => {
    const unit = fc.oneof(
      fc.constantFrom(
        'a',
        'م',
        '👩',
        '🏽',
        '❤',
        '1',
        ...'\u200b\u200c\u200d\u202e\ufe0f\r\n\u001b',
      ),
      fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
    )
    fc.assert(
      fc.property(fc.string({ unit }), (text) => {
        const once = withoutHidden(text)
        expect(once).not.toMatch(/[\u200b\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e0fff}]/u)
        expect(once).not.toMatch(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/)
        expect(once).not.toMatch(/[\u200c\u200d]{2}/)
        expect(withoutHidden(once)).toBe(once)
      }),
    )
  })
})

it('a regular expression keeps its meaning with escapes', () => {
  const pattern = '^[^\u200b\u{e0041}\u0000]+$'
  const escaped = withEscapes(pattern)
  expect(escaped).toBe('^[^\\u200b\\udb40\\udc41\\u0000]+$')
  for (const text of ['a', '\u200b', '\u{e0041}', '\u{e0042}', '\u0000']) {
    expect(new RegExp(escaped, 'u').test(text)).toBe(new RegExp(pattern, 'u').test(text))
  }
  expect(withEscapes('^[a-zé]{1,3}\\u200b$')).toBe('^[a-zé]{1,3}\\u200b$')
})

it('every character that Unicode calls ignorable, a control or an anchor is removed where it stands alone', () => {
  const wrong: string[] = []
  for (let code = 0; code <= 0x10ffff; code++) {
    const character = String.fromCodePoint(code)
    const isHidden = /[\p{Default_Ignorable_Code_Point}\p{Cc}\u2028\u2029\ufff9-\ufffb]/u.test(
      character,
    )
    const isKept = withoutHidden(character) !== ''
    if (isKept === (isHidden && !'\t\n'.includes(character))) wrong.push(code.toString(16))
  }
  expect(wrong).toEqual([])
})
