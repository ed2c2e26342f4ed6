import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { tokenHeader } from './token-option.ts'

it('a token becomes a header, and no token none', () => {
  expect(tokenHeader('abc.DEF-_~+/=')).toEqual({ authorization: 'Bearer abc.DEF-_~+/=' })
  expect(tokenHeader(undefined)).toEqual({})
  expect(tokenHeader('')).toEqual({})
})

it('a token can be in a file, so that a list of processes does not show it', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ftl-token-'))
  try {
    writeFileSync(join(folder, 'token'), 'abc\n')
    expect(tokenHeader(`@${join(folder, 'token')}`)).toEqual({ authorization: 'Bearer abc' })
    expect(() => tokenHeader(`@${join(folder, 'none')}`)).toThrow(
      /--token cannot be read \(ENOENT\)/,
    )
  } finally {
    rmSync(folder, { recursive: true })
  }
})

it.each(['two words', 'a\r\nx-evil: 1', 'sécret', 'Bearer abc'])(
  '%j is refused without being shown',
  (token) => {
    expect(() => tokenHeader(token)).toThrow(/--token must be one access token/)
    expect(() => tokenHeader(token)).not.toThrow(token)
  },
)
