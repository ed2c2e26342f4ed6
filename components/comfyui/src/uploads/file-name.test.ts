import { expect, test } from 'vitest'
import { fileName } from './file-name.ts'

test.each([
  ['../../etc/passwd', 'passwd'],
  ['C:\\videos\\a.mp4', 'a.mp4'],
  ['a\u202e4pm.exe', 'a4pm.exe'],
  ['line\nbreak\u2028.mp4', 'linebreak.mp4'],
  ['..', 'upload.mp4'],
  [null, 'upload.mp4'],
  ['x'.repeat(200), 'x'.repeat(100)],
])('the name %j becomes %j', (given, shown) => {
  expect(fileName(given, 'mp4')).toBe(shown)
})
