import type { ApiStyle } from 'ftl-contract'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { headerText, pairsOf, pathText } from './styles.ts'

const LIST = ['blue', 'black', 'brown']
const OBJECT = { R: 100, G: 200, B: 150 }
const color = (style: ApiStyle, explode: boolean) => ({ name: 'color', style, explode })

/** https://spec.openapis.org/oas/v3.1.1.html#style-examples */
describe('the examples of the specification', () => {
  it.each<[ApiStyle, boolean, string, string, string]>([
    ['matrix', false, ';color=blue', ';color=blue,black,brown', ';color=R,100,G,200,B,150'],
    ['matrix', true, ';color=blue', ';color=blue;color=black;color=brown', ';R=100;G=200;B=150'],
    ['label', false, '.blue', '.blue,black,brown', '.R,100,G,200,B,150'],
    ['label', true, '.blue', '.blue.black.brown', '.R=100.G=200.B=150'],
    ['simple', false, 'blue', 'blue,black,brown', 'R,100,G,200,B,150'],
    ['simple', true, 'blue', 'blue,black,brown', 'R=100,G=200,B=150'],
  ])('in a path: %s, explode %s', (style, explode, one, list, object) => {
    const written = color(style, explode)
    expect([pathText(written, 'blue'), pathText(written, LIST), pathText(written, OBJECT)]).toEqual(
      [one, list, object],
    )
  })

  it.each<[ApiStyle, boolean, string, string]>([
    ['form', false, 'color=blue,black,brown', 'color=R,100,G,200,B,150'],
    ['form', true, 'color=blue&color=black&color=brown', 'R=100&G=200&B=150'],
    ['spaceDelimited', false, 'color=blue%20black%20brown', 'color=R%20100%20G%20200%20B%20150'],
    ['pipeDelimited', false, 'color=blue%7Cblack%7Cbrown', 'color=R%7C100%7CG%7C200%7CB%7C150'],
  ])('in a query: %s, explode %s', (style, explode, list, object) => {
    const written = color(style, explode)
    expect([pairsOf(written, LIST).join('&'), pairsOf(written, OBJECT).join('&')]).toEqual([
      list,
      object,
    ])
  })

  it('in a query: deepObject, also within one another', () => {
    const value = { R: 100, of: { a: [1, { b: 2 }] } }
    expect(pairsOf(color('deepObject', true), value).map(decodeURIComponent)).toEqual([
      'color[R]=100',
      'color[of][a][0]=1',
      'color[of][a][1][b]=2',
    ])
  })

  it('in a header', () => {
    expect(headerText(color('simple', false), LIST)).toBe('blue,black,brown')
    expect(headerText(color('simple', true), OBJECT)).toBe('R=100,G=200,B=150')
  })
})

it('a parameter with content is JSON', () => {
  expect(pairsOf(color('json', false), OBJECT)).toEqual([
    `color=${encodeURIComponent('{"R":100,"G":200,"B":150}')}`,
  ])
})

it('an empty list is not sent, and a list within a list is JSON', () => {
  expect(pairsOf(color('form', true), [])).toEqual([])
  expect(pairsOf(color('form', true), [[1, 2]])).toEqual(['color=%5B1%2C2%5D'])
})

it('reserved characters are kept where the document allows it, but begin no other parameter', () => {
  const written = { ...color('form', true), allowReserved: true }
  expect(pairsOf(written, 'https://a.example/b?c=1&d#e+f')).toEqual([
    'color=https://a.example/b?c%3D1%26d%23e%2Bf',
  ])
})

it('no value gets out of its place in a URL', () => {
  const styles = fc.constantFrom<ApiStyle>('form', 'deepObject', 'pipeDelimited', 'spaceDelimited')
  fc.assert(
    fc.property(
      styles,
      fc.boolean(),
      fc.boolean(),
      fc.jsonValue(),
      (style, explode, allowReserved, value) => {
        const written = { name: 'a&b', style, explode, allowReserved }
        const url = new URL(`https://api.example/v1/x?${pairsOf(written, value).join('&')}`)
        expect(url.pathname).toBe('/v1/x')
        expect(url.hash).toBe('')
        expect(url.search).not.toMatch(/[#\s]/)
      },
    ),
  )
})
