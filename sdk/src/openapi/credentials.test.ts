import type { ApiCredential } from 'ftl-contract'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { credentialsFor, redacted } from './credentials.ts'

const credentials: Record<string, ApiCredential> = {
  key: { in: 'header', name: 'x-key', variable: 'key' },
  token: { in: 'header', name: 'authorization', prefix: 'Bearer ', variable: 'token' },
  login: { in: 'basic', username: 'user', password: 'password' },
}

const sent = (security: string[][], variables: Record<string, string>) =>
  credentialsFor({ credentials }, security, (name) => variables[name])

it('the first alternative whose variables are set is sent, whole', () => {
  const both = [['key', 'token'], ['login']]
  expect(sent(both, { key: 'k', token: 't', user: 'u', password: 'p' }).headers).toEqual([
    ['x-key', 'k'],
    ['authorization', 'Bearer t'],
  ])
  expect(sent(both, { key: 'k', user: 'u', password: 'é' }).headers).toEqual([
    ['authorization', 'Basic dTrDqQ=='],
  ])
})

it('nothing is sent if a variable of each is missing or empty, and all are named', () => {
  const { headers, isSent, variables } = sent([['key', 'token'], ['login']], {
    key: 'k',
    token: '',
  })
  expect([headers, isSent]).toEqual([[], false])
  expect(variables).toEqual(['key', 'token', 'user', 'password'])
})

it('a token that was copied with its scheme is sent once with it', () => {
  expect(sent([['token']], { token: ' bearer abc\n' }).headers).toEqual([
    ['authorization', 'bearer abc'],
  ])
})

it('a secret is not in a text in any form in which an API echoes it', () => {
  const secrets = fc.array(fc.string({ minLength: 6 }), { maxLength: 4 })
  fc.assert(
    fc.property(secrets, (all) => {
      const forms = all.flatMap((each) => [each, JSON.stringify(each), encodeURIComponent(each)])
      const clean = redacted(forms.join(' and '), all)
      for (const each of all) {
        if (!'[redacted]'.includes(each) && !' and '.includes(each))
          expect(clean).not.toContain(each)
      }
    }),
  )
})
