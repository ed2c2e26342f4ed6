import type { ApiParameter } from 'ftl-contract'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { ToolError } from '../tool/errors.ts'
import { urlOf } from './request-url.ts'

const inPath = (name: string): ApiParameter => ({
  ...{ argument: name, name, in: 'path', style: 'simple', explode: false },
})

const url = (path: string, args: Record<string, unknown>, query: string[] = []) =>
  urlOf(
    'https://api.example/v1/',
    { path, parameters: [inPath('a'), inPath('b')] },
    new Map(Object.entries(args)),
    query,
  )

it('places arguments, and keeps a query of the path without its fragment', () => {
  expect(url('/x/{a}/y', { a: 'p q' })).toBe('https://api.example/v1/x/p%20q/y')
  expect(url('/x?fixed=1#part', {}, ['more=2'])).toBe('https://api.example/v1/x?fixed=1&more=2')
})

it.each([
  ['/x/{a}', { a: '..' }, 'a: must not be "." or "..", nor have them between slashes'],
  ['/x/{a}{b}', { a: '.', b: '.' }, 'a, b: must not be "." or "..", nor have them between slashes'],
  ['/x/{a}', { a: '../admin' }, 'a: must not be "." or "..", nor have them between slashes'],
  ['/x/{a}', { a: 'b\\..\\c' }, 'a: must not be "." or "..", nor have them between slashes'],
  ['/x/%2E{a}', { a: '.' }, 'a: must not be "." or "..", nor have them between slashes'],
  ['/x/{a}', { a: '' }, 'a: must not be empty'],
  ['/x/{a}', {}, 'a: must not be empty'],
  ['/x/{a}', { a: [] }, 'a: must not be empty'],
])('%s with %j is refused', (path, args, message) => {
  expect(() => url(path, args)).toThrow(new ToolError(message))
})

it('no argument leaves its segment', () => {
  const text = fc.oneof(fc.string({ unit: 'binary' }), fc.stringMatching(/^[./%2eE\\?#;@:]{1,8}$/))
  fc.assert(
    fc.property(text, text, (a, b) => {
      let made: string
      try {
        made = url('/x/{a}/y/{b}', { a, b })
      } catch (error) {
        expect(error).toBeInstanceOf(ToolError)
        return
      }
      const { origin, pathname, search, hash } = new URL(made)
      expect(origin + search + hash).toBe('https://api.example')
      const [, v1, x, one, y, two, ...rest] = pathname.split('/')
      expect([v1, x, y, rest]).toEqual(['v1', 'x', 'y', []])
      expect(decodeURIComponent(one ?? '')).toBe(a.toWellFormed())
      expect(decodeURIComponent(two ?? '')).toBe(b.toWellFormed())
    }),
  )
})
