import { expect, it } from 'vitest'
import { roundedNumber } from './rounded-number.ts'

const found = (text: string) => roundedNumber(text, JSON.parse(text))

it.each([
  ['{"id":725653563933458432}', 'id'],
  ['[[{"a":-9007199254740993}]]', '[0][0].a'],
  ['{"a":1e400}', 'a'],
  ['{"a":{"b":-1e400},"c":1e400}', 'a.b'],
  ['{"a":[1,2,123456789012345678901234567890]}', 'a[2]'],
  ['{"__proto__":725653563933458432}', '__proto__'],
  ['725653563933458432', ''],
])('%s has a number that JavaScript rounds, at %j', (text, path) => {
  expect(found(text)).toBe(path)
})

it.each([
  '{"id":9007199254740991}',
  '{"id":9007199254740992}',
  '{"id":"725653563933458432"}',
  '{"mass":5.972e24,"far":1e30,"small":1e-400}',
  '{"a":100000000000000000000}',
  '{"a":0.1234567890123456789,"b":3.141592653589793238}',
  '{"a":1e16,"b":[1E+16,123456.5e20],"c":-1e21,"d":9007199254740992.0}',
  '"725653563933458432"',
  'null',
])('%s is passed on as it is', (text) => {
  expect(found(text)).toBeUndefined()
})

const PROSE = 'no number '.repeat(10_000)
const SMALL = Array.from({ length: 2000 }, (_, at) => at)

it.each([
  ['few members', [PROSE]],
  ['many members', [PROSE, ...SMALL]],
  ['members in members', [PROSE, SMALL.map((at) => [at])]],
])('is found in a long text of %s, last and first', (_, value) => {
  expect(roundedNumber(JSON.stringify(value), value)).toBeUndefined()
  const after = JSON.stringify(value).replace(/]$/, ',725653563933458432]')
  expect(found(after)).toBe(`[${value.length}]`)
  expect(found(after.replace(/^\[/, '[1e400,'))).toBe('[0]')
})

// Each took hours for a body of 4 MB.
it('is found in a time that grows with the text', () => {
  expect(found(`{"a":"${'1'.repeat(1_000_000)}","b":725653563933458432}`)).toBe('b')
  const exact = Array.from({ length: 100_000 }, (_, at) => 2 ** 60 + at * 1024)
  expect(found(JSON.stringify([...exact, 1]).replace(/1]$/, '725653563933458432]'))).toBe(
    '[100000]',
  )
})
