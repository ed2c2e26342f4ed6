import { existsSync, mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { resultTexts } from './call-result.ts'

const image = (mimeType: string) => ({
  type: 'image' as const,
  mimeType,
  data: Buffer.from('bytes').toString('base64'),
})

test('a picture becomes a file, and its line says where it lies', () => {
  const folder = join(mkdtempSync(join(tmpdir(), 'ftl-result-')), 'new')
  const texts = resultTexts(
    { content: [{ type: 'text', text: 'Here' }, image('image/png'), image('image/jpeg')] },
    'draw/../it',
    folder,
  )
  expect(texts).toEqual([
    'Here',
    `${join(folder, 'draw_.._it-1.png')} (image/png, 5 bytes)`,
    `${join(folder, 'draw_.._it-2.jpg')} (image/jpeg, 5 bytes)`,
  ])
  expect(readFileSync(join(folder, 'draw_.._it-1.png'), 'utf8')).toBe('bytes')
})

test('a type of the server cannot name a path', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ftl-result-'))
  const [text = ''] = resultTexts({ content: [image('image/../../x')] }, 'draw', folder)
  const [path = ''] = text.split(' ')
  expect(path).toBe(join(folder, 'draw-1.bin'))
  expect(existsSync(path)).toBe(true)
})

test('texts of resources are shown, and their bytes are saved', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ftl-result-'))
  const resource = { uri: 'note://1', mimeType: 'text/plain' }
  const [text, blob = ''] = resultTexts(
    {
      content: [
        { type: 'resource', resource: { ...resource, text: 'Buy paper' } },
        { type: 'resource', resource: { ...resource, blob: 'aGk=' } },
      ],
    },
    'notes',
    folder,
  )
  expect(text).toBe('Buy paper')
  expect(blob).toBe(`${join(folder, 'notes-1.txt')} (text/plain, 2 bytes)`)
})
