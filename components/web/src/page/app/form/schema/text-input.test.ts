import { expect, it } from 'vitest'
import { textInput } from './text-input.ts'

it.each([
  ['An address (/uploads/…) of an MP4', 'always'],
  ['A data URL, or what POST /uploads gave (/uploads/…): PNG', 'large'],
  ['PNG or WebP. A data URL or an address, as of an image (/outputs/…, /uploads/…)', 'large'],
  ['The folder, for example /uploads/avatars', undefined],
  ['A path such as /srv/uploads/… on the server', undefined],
  ['https://files.example/uploads/…', undefined],
  ['An MP4', undefined],
])('%j: a file is sent by itself: %s', (description, uploads) => {
  expect(textInput({ type: 'string', description }, 'clip').uploads).toBe(uploads)
})
