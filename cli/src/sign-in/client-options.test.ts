import { Command } from 'commander'
import { afterEach, expect, it, vi } from 'vitest'
import { clientFlagsOf, parseScopes, storedAuth, withClientOptions } from './client-options.ts'

afterEach(() => vi.unstubAllEnvs())

it('the client is the same by options and by environment variables', () => {
  const args = ['--client-id', 'ci', '--issuer', 'https://as.example', '--private-key', 'k.pem']
  const command = withClientOptions(new Command()).parse(args, { from: 'user' })
  const env = {
    FTL_CLIENT_ID: 'ci',
    FTL_ISSUER: 'https://as.example',
    FTL_CLIENT_KEY: 'k.pem',
    FTL_CLIENT_METADATA_URL: '',
  }
  expect(clientFlagsOf(env)).toEqual(command.opts())
  expect(storedAuth(clientFlagsOf(env), {})).toEqual({
    clientId: 'ci',
    issuer: 'https://as.example',
    privateKeyFile: 'k.pem',
  })
})

it('a secret is read from its variable only, and a private key comes before it', () => {
  const env = { FTL_CLIENT_SECRET: 'x' }
  expect(storedAuth({}, env)).toEqual({ clientSecretEnv: 'FTL_CLIENT_SECRET' })
  expect(storedAuth({ privateKey: 'k.pem' }, env)).toEqual({ privateKeyFile: 'k.pem' })
  expect(storedAuth({}, {})).toEqual({})
})

it.each([
  ['tools', 'tools'],
  ['tools files', 'tools files'],
  [' tools, files ', 'tools files'],
])('the scopes %j', (text, scopes) => expect(parseScopes(text)).toBe(scopes))

it.each(['', ' ', 'a"b', 'a\\b', 'é', 'a\x1b'])('%j is refused as scopes', (text) => {
  expect(() => parseScopes(text)).toThrow('scopes separated by spaces')
})
