import { expect, test } from 'vitest'
import { neededApproval } from './approval.ts'

const result = (approval: unknown, isError = true) => ({
  content: [{ type: 'text' as const, text: 'Ask.' }],
  isError,
  _meta: { 'ftl/approval': approval },
})

test('a refusal with a token needs an approval', () => {
  expect(neededApproval(result({ token: 't', component: 'c', expiresAt: 'e' }))).toEqual({
    token: 't',
    component: 'c',
    expiresAt: 'e',
    message: 'Ask.',
  })
})

test.each([undefined, null, 't', [], {}, { token: 7 }, { token: '' }, { token: 'x'.repeat(9000) }])(
  'anything else does not: %#',
  (approval) => expect(neededApproval(result(approval))).toBeUndefined(),
)

test('the result of a tool that ran does not, whatever its component put into it', () => {
  expect(neededApproval(result({ token: 't' }, false))).toBeUndefined()
})

test.each([
  ['structured content', { structuredContent: {} }],
  ['no content', { content: [] }],
  ['more than a text', { content: [1, 2].map(() => ({ type: 'text' as const, text: 'Ask.' })) }],
  ['an image', { content: [{ type: 'image' as const, data: '', mimeType: 'image/png' }] }],
])('a result with %s is no refusal of a gateway', (_, more) => {
  expect(neededApproval({ ...result({ token: 't' }), ...more })).toBeUndefined()
})

test('fields that are not strings are omitted', () => {
  expect(neededApproval(result({ token: 't', component: {}, expiresAt: 5 }))).toMatchObject({
    component: undefined,
    expiresAt: undefined,
  })
})
