import { expect, it } from 'vitest'
import { namedLines, withoutStyles } from './server-log.ts'

// As the servers of GitLab, Sentry and Node write.
it.each([
  ['Server connected.\n', '[a] Server connected.\n'],
  ['one\r\n\n  two\nthree', '[a] one\n[a]   two\n[a] three\n'],
  ['\x1b[32mINFO\x1b[39m [14:53] \x1b[1;36mready\x1b[0m\n', '[a] INFO [14:53] ready\n'],
  ['\n', ''],
])('%j', (text, printed) => {
  expect(namedLines('a', text)).toBe(printed)
})

it('leaves all other codes, which the terminal shows as text', () => {
  const codes = '\x1b[2J\x1b]52;c;eA==\x07\x9b2J'
  expect(withoutStyles(codes)).toBe(codes)
})
