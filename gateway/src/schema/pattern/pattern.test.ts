import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Automaton } from './automaton.ts'
import { Pattern, UnusablePattern } from './pattern.ts'
import { parse } from './tree.ts'

const free = () => {}

/** By the automaton alone, as the engine would with the same flags. */
function automaton(source: string, unicode = true): Automaton {
  return new Automaton(parse(source, unicode), unicode)
}

/** As the standard searches: at each character. V8 also tries the middle of a pair of surrogates. */
function found(sticky: RegExp, text: string): boolean {
  let index = 0
  return [...text, ''].some((character) => {
    sticky.lastIndex = index
    index += character.length
    return sticky.test(text)
  })
}

/** Units of work for one match. */
function work(source: string, text: string): number {
  let units = 0
  new Pattern(source).test(text, (more) => (units += more))
  return units
}

/** Expressions of everything that is known, over few characters, so that many texts match. */
const { expression } = fc.letrec<{ expression: string }>((tie) => {
  const nested = tie('expression')
  const quantifier = fc.constantFrom('*', '+', '?', '{2}', '{1,}', '{0,2}', '*?', '+?', '{1,3}?')
  return {
    expression: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      fc.constantFrom('a', 'b', '.', '\\w', '\\d', '[^a]', '[ab-]', '\\s', '💙', '\\u{1F499}', ''),
      fc.constantFrom(
        '^',
        '$',
        '\\b',
        '\\B',
        '\\x61',
        '\\ud83d\\udc99',
        '[💙a]',
        '\\.',
        '[^]',
        '[]',
      ),
      fc.tuple(nested, nested).map((parts) => parts.join('')),
      fc.tuple(nested, nested).map((parts) => `(?:${parts.join('|')})`),
      fc.tuple(nested, quantifier).map(([body, times]) => `(${body})${times}`),
      fc
        .tuple(fc.constantFrom('?=', '?!', '?<=', '?<!'), nested)
        .map(([look, body]) => `(${look}${body})`),
    ),
  }
})
const texts = fc.array(
  fc.array(fc.constantFrom('a', 'b', ' ', '-', '1', '💙', '\ud83d', '\n'), { maxLength: 8 }),
  { minLength: 5, maxLength: 5 },
)

describe('an automaton matches what the engine matches', () => {
  it('for any expression with the flag "u"', () => {
    fc.assert(
      fc.property(expression, texts, (source, texts) => {
        const native = new RegExp(source, 'uy')
        const own = automaton(source)
        for (const characters of texts) {
          const text = characters.join('')
          expect([source, text, own.test(text, free)]).toEqual([source, text, found(native, text)])
        }
      }),
      { numRuns: 3_000 },
    )
  })

  it.each([
    ['a\\-{2}_', ['a--_', 'a-_']],
    ['a{,2}', ['a{,2}', 'aa']],
    ['^]}$', [']}', '}']],
    ['x{1', ['x{1', 'x']],
    ['^.$', ['💙', 'a']],
    ['\\q\\x4', ['qx4', 'q']],
    ['[\\d-a]+$', ['-', 'b']],
  ])('without that flag: %s', (source, texts) => {
    for (const text of texts) {
      expect(automaton(source, false).test(text, free)).toBe(new RegExp(source).test(text))
    }
  })
})

describe('a pattern takes linear time', () => {
  it.each([
    ['(a+)+$', 'a'],
    ['^(a+)+$', 'a'],
    ['^(a|a)*b', 'a'],
    ['(a|aa)+$', 'a'],
    ['^(([a-z])+.)+[A-Z]([a-z])+$', 'a'],
    ['^(.*a){20}$', 'a'],
    ['^\\s+|\\s+$', ' '],
    ['a*a*a*b', 'a'],
    ['^(?=(a+)+b)a', 'a'],
    ['(?<!(a+)+c)b', 'a'],
    ['^(\\w+\\s?)*$', 'word '],
    [
      "^(?!\\.)(?!.*\\.\\.)([A-Za-z0-9_'+\\-.]*)[A-Za-z0-9_+-]@([A-Za-z0-9][A-Za-z0-9-]*\\.)+[A-Za-z]{2,}$",
      'a@a.',
    ],
  ])('%s', (source, unit) => {
    const of = (length: number) => unit.repeat(length / unit.length) + '!'
    const [short, long] = [work(source, of(10_000)), work(source, of(100_000))]
    expect(long).toBeLessThan(11 * short)
    expect(long).toBeLessThan(20 * 100_000)
  })

  it('also where every set of ways is another', () => {
    // A deterministic automaton would need 2 ** 30 states.
    const text = Array.from({ length: 20_000 }, (_, at) =>
      (at * at * 7) % 11 < 5 ? 'a' : 'b',
    ).join('')
    expect(work('(a|b)*a(a|b){30}c', text)).toBeLessThan(500 * text.length)
  })
})

describe('a pattern matches with the engine where that is quick', () => {
  it.each([
    ['^[a-z0-9-]+$', 'a'.repeat(1_000_000)],
    [
      '^(?:[0-9a-zA-Z+/]{4})*(?:(?:[0-9a-zA-Z+/]{2}==)|(?:[0-9a-zA-Z+/]{3}=))?$',
      'abcd'.repeat(250_000),
    ],
    ['^(\\d{3}-)?\\d{4}$', '555-1234'],
    ['^.{1,100000}$', 'a'.repeat(100_000)],
  ])('%s', (source, text) => {
    expect(new Pattern(source).test(text, free)).toBe(true)
    expect(work(source, text)).toBeLessThan(4 * text.length + 100)
  })
})

describe('a pattern that cannot be matched in linear time', () => {
  const long = 'a'.repeat(5_000)

  it.each([
    ['^(a+)+\\1$', 'it refers back to a group'],
    ['(?:a|ab){1,90000}c', 'it has too many parts or repetitions'],
    ['(?:(?:(?:){3000}){3000}){3000}(a|a)*b', 'it has too many parts or repetitions'],
    [`${'('.repeat(500)}a|a${')*'.repeat(500)}`, 'it is nested too deeply'],
    [`${'(?=a)'.repeat(30)}(a|a)*b`, 'it has too many assertions'],
  ])('is refused: %.20s', (source, reason) => {
    expect(() => new Pattern(source).test(long, free)).toThrow(
      new UnusablePattern(`cannot be matched in linear time, because ${reason}`),
    )
  })

  it('is matched where the text is short enough for any engine', () => {
    const quoted = new Pattern('^(["\'])[^"]*\\1$')
    expect([quoted.test('"a"', free), quoted.test('"a\'', free)]).toEqual([true, false])
  })
})
