import { expect, it } from 'vitest'
import { withAbsoluteOutputs } from './output-links.ts'

const ID = 'd1eed89c-d2ff-427e-b5d2-cd004a668935'
const ORIGIN = 'http://127.0.0.1:3000'
const absolute = (value: unknown) => withAbsoluteOutputs(value, ORIGIN, new Map())

it('an address that is a string or a line of one becomes absolute', () => {
  const path = `/outputs/${ID}.png`
  expect(absolute({ uri: path, text: `Made an image.\n${path}\n${path}` })).toEqual({
    uri: ORIGIN + path,
    text: `Made an image.\n${ORIGIN}${path}\n${ORIGIN}${path}`,
  })
})

it.each([`see /outputs/${ID}.png`, '/outputs/../secret', 'a\n/outputs/', `/outputs/${ID}.png.`])(
  '%j stays as it is',
  (text) => expect(absolute({ text })).toEqual({ text }),
)

it('a value without an address is not copied', () => {
  const value = { text: 'a\nb', list: [1] }
  expect(absolute(value)).toBe(value)
})
