import { expect, it } from 'vitest'
import { describeSignIn, validity } from './describe.ts'

const NOW = 1_000_000_000_000
const SECOND = 1000

it.each([
  [90, 'valid for 1 minute; then sign in again'],
  [59, 'valid for 59 seconds; then sign in again'],
  [1, 'valid for 1 second; then sign in again'],
  [2 * 3600 + 5, 'valid for 2 hours; then sign in again'],
  [86_400, 'valid for 1 day; then sign in again'],
  [0, 'expired: sign in again'],
  [-5, 'expired: sign in again'],
])('a token that expires in %i s is %s', (seconds, text) => {
  const tokens = { accessToken: 'x', expiresAt: NOW + seconds * SECOND }
  expect(validity(tokens, 'authorization_code', NOW)).toBe(text)
})

it('says whether a token is renewed', () => {
  const tokens = { accessToken: 'x', expiresAt: NOW + SECOND }
  const refreshed = { ...tokens, refreshToken: 'y' }
  expect(validity(refreshed, 'authorization_code', NOW)).toContain('renewed automatically')
  expect(validity(tokens, 'client_credentials', NOW)).toContain('renewed automatically')
  expect(validity({ ...refreshed, expiresAt: NOW }, 'authorization_code', NOW)).toContain(
    'next call',
  )
  expect(validity({ accessToken: 'x' }, 'authorization_code', NOW)).toContain('unknown time')
})

it('shows no token, and no control characters of a server', () => {
  const lines = describeSignIn({
    version: 1,
    server: 'https://gw.example/mcp',
    resource: 'https://gw.example/mcp',
    issuer: 'https://as.example/\x1b[2J',
    grant: 'client_credentials',
    client: { id: 'ci', secret: 'the-secret' },
    tokens: { accessToken: 'the-token', refreshToken: 'the-refresh' },
    signedInAt: NOW,
  })
  const text = JSON.stringify(lines)
  expect(text).toContain('ci (a machine)')
  expect(text).not.toMatch(/the-secret|the-token|the-refresh|u001b/)
})
