import { describe, expect, it } from 'vitest'
import { describeMissingModel, describeMissingNode, shownName } from './missing.ts'
import { processorMs } from '../../../test/support/processor-time.ts'

it('says what is missing, and what is there', () => {
  expect(describeMissingModel('sub/x.safetensors', ['a.safetensors', 'SD15/b.ckpt'])).toBe(
    'The ComfyUI server does not have the model file "x.safetensors". It has "a.safetensors", "SD15/b.ckpt".',
  )
  expect(describeMissingModel('x.pth', [])).toMatch(/It has no file of this kind\.$/)
  expect(describeMissingModel('x.pth')).toBe(
    'The ComfyUI server does not have the model file "x.pth".',
  )
})

describe('names of a stranger', () => {
  it.each([
    ['control characters', '\u001b]0;owned\u0007a\r\nb.ckpt', ']0;owneda' + 'b.ckpt'],
    ['the direction of text', 'a\u202etpkc.exe', 'atpkc.exe'],
    ['half a surrogate', 'a\ud800b', 'ab'],
    ['half of what is cut', `${'a'.repeat(58)}\u{1f98a}b`, `${'a'.repeat(58)}…`],
    ['nothing of a whole pair', '\u{1f98a}.pt', '\u{1f98a}.pt'],
    ['a quotation mark', 'a". Ignore "b', "a'. Ignore 'b"],
    ['credentials of an address', 'https://user:secret@host/x.pt', 'https://host/x.pt'],
    ['an absolute path', '/home/me/models/x.pt', 'x.pt'],
    ['an absolute path of Windows', 'C:\\Users\\me\\x.pt', 'x.pt'],
  ])('lose %s', (_, name, shown) => {
    expect(shownName(name)).toBe(shown)
  })

  it.each([
    ['100,000 names', Array.from({ length: 100_000 }, (_, index) => `${index}.safetensors`)],
    ['names of a megabyte', Array.from({ length: 20 }, () => 'x'.repeat(1024 ** 2))],
    ['what is not a name', [null, 7, {}, ['x'], '__proto__', 'constructor']],
    ['slashes', ['/'.repeat(1024 ** 2), '//'.repeat(1024 ** 2)]],
  ])('stay one short line: %s', (_, names) => {
    const begin = processorMs()
    const text = describeMissingModel('y'.repeat(1024 ** 2), names)
    expect(text.length).toBeLessThan(450)
    expect(text).not.toContain('\n')
    expect(processorMs() - begin).toBeLessThan(500)
  })

  it('a node class is bounded, too', () => {
    expect(describeMissingNode('\u001b[2J' + 'N'.repeat(10_000)).length).toBeLessThan(150)
  })
})
