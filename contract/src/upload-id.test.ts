import { expect, test } from 'vitest'
import { parseUploadId, uploadId } from './upload-id.ts'

const UUID = '0b5a7c1e-9d1f-4c53-8a55-39b1c9a5f0de'

test('an id says when the upload expires, to the second', () => {
  const id = uploadId(1_800_000_000_999, UUID)
  expect(parseUploadId(id)).toEqual({ expiresMs: 1_800_000_000_000 })
})

test.each(['', UUID, `abc-${UUID}`, `zzzzzz-${UUID}/x`, `zzzzzz-${UUID.toUpperCase()}`, '../../x'])(
  '%j is no id',
  (text) => expect(parseUploadId(text)).toBeUndefined(),
)
