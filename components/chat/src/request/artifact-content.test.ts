import { expect, it } from 'vitest'
import { artifactContent } from './artifact-content.ts'

const PICTURE = {
  id: 'artifact-1',
  type: 'image',
  title: 'a dragon',
  mimeType: 'image/png',
  tool: 'generate_image',
  arguments: { prompt: 'a dragon' },
}
const { title, mimeType, tool, arguments: args } = PICTURE
const base64 = (text: string) => Buffer.from(text).toString('base64')

it.each([
  ['data:text/plain;charset=utf-8,a%2Cb%20%C3%A9', 'a,b é'],
  ['data:application/json;charset=utf-8,%7B%22a%22%3A1%7D', '{"a":1}'],
  [`data:text/csv;base64,${base64('a;é')}`, 'a;é'],
  [`data:application/vnd.custom.chart+json;base64,${base64('{}')}`, '{}'],
])('the text of %s', (url, text) => {
  expect(artifactContent({ url })).toBe(text)
})

it('a file is described, with its address', () => {
  const url = '/outputs/x.png'
  expect(artifactContent({ ...PICTURE, url })).toEqual({
    title,
    mimeType,
    url,
    tool,
    arguments: args,
  })
})

it.each([
  ['data:image/png;base64,iVBORw0KGgo=', 'the bytes of a picture'],
  ['data:text/plain,%E0%A4%A', 'a text that is cut'],
  ['data:text/plain;base64,/w==', 'bytes that are not UTF-8'],
])('of %s, %s, only what it is', (url) => {
  const content = artifactContent({ ...PICTURE, url })
  expect(content).toEqual({ title, mimeType, tool, arguments: args })
  expect(JSON.stringify(content)).not.toContain('data:')
})

it.each([{}, { url: 5 }, { title: 'a' }])('%j is not an artifact', (value) => {
  expect(artifactContent(value)).toBeUndefined()
})
