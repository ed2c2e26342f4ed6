import { expect, it } from 'vitest'
import { firstMessages } from '../turns/first-messages.ts'
import type { ChatRequest } from './chat-request.ts'
import { readAttachments } from './read-attachments.ts'

const UPLOAD = '/uploads/tpbmzf-fab33c91-59df-43ad-a52f-9d28f0726a81'

function said(attachments: unknown) {
  const request: ChatRequest = {
    message: 'Look.',
    history: [],
    blockedServers: new Set(),
    enabledTools: new Map(),
    toolArguments: new Map(),
    canApprove: false,
    attachments: readAttachments(attachments),
  }
  const last = firstMessages(request).at(-1)
  return { content: last?.content, images: last?.role === 'user' ? last.images : [] }
}

it('a file that the user has sent is named with the address that a tool takes', () => {
  expect(said([{ name: 'a.mp4', mimeType: 'video/mp4', url: UPLOAD }])).toEqual({
    content: `Look.\n\nAttached: a.mp4 (video/mp4); a tool takes it as ${UPLOAD}`,
    images: [],
  })
})

it('a large picture is named only, because its address is no use to a model', () => {
  const { content, images } = said([{ name: 'a.png', mimeType: 'image/png', url: UPLOAD }])
  expect(content).toContain(`as ${UPLOAD}`)
  expect(images).toEqual([])
})

it('a small picture is shown to the model, and named for tools', () => {
  const picture = { name: 'a.png', mimeType: 'image/png', data: 'iVBORw0KGgo=', url: UPLOAD }
  expect(said([picture])).toEqual({
    content: `Look.\n\nAttached: the picture a.png; a tool takes it as ${UPLOAD}.`,
    images: [{ mimeType: 'image/png', data: 'iVBORw0KGgo=' }],
  })
})

it('an address in the web stays one that the model itself may open', () => {
  const url = 'https://example.com/a.png'
  const { content, images } = said([{ name: 'a.png', mimeType: 'image/png', url }])
  expect(content).toBe(`Look.\n\nAttached: a.png (image/png) at ${url}`)
  expect(images).toEqual([{ url }])
})

it.each(['/jobs', '/uploads/', '/uploads/../jobs', '/uploads/a b', `/uploads/${'a'.repeat(201)}`])(
  'the path %j is refused',
  (url) => {
    const read = () => readAttachments([{ name: 'a', mimeType: 'video/mp4', url }])
    expect(read).toThrow(/attachments\[0\]\.url must be/)
  },
)
