import { expect, it } from 'vitest'
import { extensionOf, mediaTypeOf } from './media-types.ts'

it.each([
  ['a.STL', 'model/stl'],
  ['a.gltf', 'model/gltf+json'],
  ['a.usdz', 'model/vnd.usdz+zip'],
  ['a.ply', 'application/ply'],
  ['a.csv', 'text/csv; charset=utf-8'],
  ['a.svg', 'image/svg+xml'],
  ['a.html', 'application/octet-stream'],
  ['a', 'application/octet-stream'],
])('%s is %s', (name, type) => {
  expect(mediaTypeOf(extensionOf(name))).toBe(type)
})
