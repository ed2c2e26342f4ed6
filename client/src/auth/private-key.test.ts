import { generateKeyPairSync } from 'node:crypto'
import { expect, it } from 'vitest'
import { ConfigError } from '../errors.ts'
import { readPrivateKey } from './private-key.ts'

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const ed = generateKeyPairSync('ed25519')

it.each([
  ['RSA as PKCS #8', rsa.privateKey.export({ type: 'pkcs8', format: 'pem' }), 'RSASSA-PKCS1-v1_5'],
  ['RSA as PKCS #1', rsa.privateKey.export({ type: 'pkcs1', format: 'pem' }), 'RSASSA-PKCS1-v1_5'],
  ['P-256 as SEC 1', ec.privateKey.export({ type: 'sec1', format: 'pem' }), 'ECDSA'],
  ['Ed25519 as PKCS #8', ed.privateKey.export({ type: 'pkcs8', format: 'pem' }), 'Ed25519'],
])('reads %s', async (_, pem, name) => {
  const { key } = await readPrivateKey(String(pem), 'key')
  expect([key.algorithm.name, key.extractable]).toEqual([name, false])
})

it('reads a JWK with its id', async () => {
  const jwk = { ...ec.privateKey.export({ format: 'jwk' }), kid: 'mine' }
  expect((await readPrivateKey(`\n${JSON.stringify(jwk)}`, 'key')).kid).toBe('mine')
})

it.each([
  ['a public key', ed.publicKey.export({ type: 'spki', format: 'pem' })],
  ['a public JWK', JSON.stringify(ed.publicKey.export({ format: 'jwk' }))],
  ['a short RSA key', keyOf(generateKeyPairSync('rsa', { modulusLength: 1024 }))],
  ['a key of another curve', keyOf(generateKeyPairSync('ec', { namedCurve: 'secp256k1' }))],
  ['an X25519 key', keyOf(generateKeyPairSync('x25519'))],
  [
    'an encrypted key',
    ed.privateKey.export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'p' }),
  ],
  ['no key', 'hello'],
  ['damaged JSON', '{'],
  ['an empty text', ''],
])('refuses %s, without showing it', async (_, text) => {
  const error = await readPrivateKey(String(text), 'auth.privateKeyFile').catch((e: unknown) => e)
  if (!(error instanceof ConfigError)) throw error
  expect(error.message).toMatch(/^auth\.privateKeyFile: (must be|is encrypted)/)
  for (const line of String(text)
    .split('\n')
    .filter((each) => each.length > 30)) {
    expect(error.message).not.toContain(line)
  }
})

function keyOf({ privateKey }: { privateKey: typeof rsa.privateKey }) {
  return privateKey.export({ type: 'pkcs8', format: 'pem' })
}
