import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { createKey, keyCommand } from './key.ts'

it('a key has 32 random bytes, and its entry the digest', () => {
  const keys = Array.from({ length: 20 }, () => createKey('ci', ['tools']))
  expect(new Set(keys.map(({ key }) => key)).size).toBe(20)
  for (const { key, entry } of keys) {
    expect(key).toMatch(/^ftl_[A-Za-z0-9_-]{43}$/)
    expect(Buffer.from(key.slice(4), 'base64url').length).toBe(32)
    const sha256 = createHash('sha256').update(key).digest('hex')
    expect(entry).toEqual({ sha256, principal: 'ci', scopes: ['tools'] })
  }
})

it.each([
  ['a name with a space', ['a b']],
  ['a name that looks like a token', ['https://issuer#ada']],
  ['a scope with a quote', ['ci', '--scope', 'a"b']],
  ['two scopes in one', ['ci', '--scope', 'a b']],
])('%s is refused', (_, args) => {
  const command = keyCommand()
  for (const each of command.commands)
    each.exitOverride().configureOutput({ writeErr: () => undefined })
  expect(() => command.parse(['new', ...args], { from: 'user' })).toThrow(
    /give (1 to 64|one scope)/,
  )
})
