import fc from 'fast-check'
import { expect, it } from 'vitest'
import { exactValue, plainEscapes } from './json-text.ts'

/** All characters escaped, as some encoders do with those that are not ASCII. */
const escaped = (text: string) =>
  text.replace(/[^]/g, (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`)

it('escapes of JSON become what they stand for, and the value stays the same', () => {
  expect(plainEscapes(String.raw`{"a":"b\/c\u0026\\/\u0022\n"}`)).toBe(
    String.raw`{"a":"b/c&\\/\"\n"}`,
  )
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const plain = plainEscapes(`["${escaped(text)}"]`)
      expect(JSON.parse(plain)).toEqual([text])
      expect(plain).toBe(JSON.stringify([text]))
    }),
  )
})

it('integers that lose digits as numbers are strings', () => {
  expect(
    exactValue('{"id":9007199254740993,"a":[-9223372036854775808,9007199254740991,1]}'),
  ).toEqual({ id: '9007199254740993', a: ['-9223372036854775808', 9007199254740991, 1] })
})

it.each(['0.12345678901234567890', '12345678901234567890.5', '1e1234567890123456', '1.5e+300'])(
  'the number %s is not an integer, and stays a number',
  (text) => {
    expect(exactValue(`[${text}]`)).toEqual([Number(text)])
  },
)

it('a value without such integers is what JSON.parse reads', () => {
  const digits = fc.stringMatching(/^["\\ ]{0,3}\d{15,19}["\\ ]{0,3}$/)
  fc.assert(
    fc.property(fc.array(fc.oneof(digits, fc.string(), fc.integer())), (value) => {
      const text = JSON.stringify(value)
      expect(exactValue(text)).toEqual(JSON.parse(text))
    }),
  )
})
