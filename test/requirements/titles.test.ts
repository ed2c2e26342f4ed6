import { describe, expect, it } from 'vitest'
import { citationsIn } from './titles.ts'

const ids = (text: string) => citationsIn('a.test.ts', text).map(({ id }) => id)

describe('the rules that titles name', () => {
  it.each([
    ['a test', `it('[http.get-405] answers 405', () => {})`],
    ['a table', `it.each([[1], [2]])('[http.get-405] %s', () => {})`],
    ['a group', `describe('[http.get-405] GET', () => { it('one', () => {}) })`],
    ['a condition', `describe.skipIf(outside)('[http.get-405]', () => {})`],
    ['a test in a loop', 'for (const v of all) test(`[http.get-405] at ${v}`, () => {})'],
  ])('are found in the title of %s', (_, text) => {
    expect(ids(text)).toEqual(['http.get-405'])
  })

  it('are all found when a title names several', () => {
    expect(ids(`it('[a.b] [c.d-e] both', () => {})`)).toEqual(['a.b', 'c.d-e'])
  })

  it('are found inside a group', () => {
    expect(ids(`describe('x', () => { it('[a.b] y', () => {}) })`)).toEqual(['a.b'])
  })

  it('come with the line they stand on', () => {
    expect(citationsIn('a.test.ts', `\n\nit('[a.b]', () => {})`)).toEqual([
      { id: 'a.b', at: 'a.test.ts:3' },
    ])
  })

  it.each([
    ['a comment', `// it('[a.b]')`],
    ['another string', `const text = '[a.b]'`],
    ['another call', `log('[a.b]')`],
    ['a body', `it('x', () => expect(rule).toBe('[a.b]'))`],
    ['a skipped test', `it.skip('[a.b]', () => {})`],
    ['a skipped group', `describe.skip('x', () => { it('[a.b]', () => {}) })`],
    ['a test to be written', `it.todo('[a.b]')`],
    ['a test that is expected to fail', `it.fails('[a.b]', () => {})`],
  ])('are not found in %s', (_, text) => {
    expect(ids(text)).toEqual([])
  })
})
