import { afterEach, describe, expect, it } from 'vitest'
import { mayHavePassword } from './oci-client.ts'

afterEach(() => {
  delete process.env['FTL_REGISTRY_AUTH_HOST']
})

const may = (realm: string, registry: string) => mayHavePassword(new URL(realm), registry)

describe('a token service gets the password of a registry', () => {
  it.each([
    ['https://registry.example.com/token', 'registry.example.com'],
    ['https://registry.example.com:8443/token', 'registry.example.com:8443'],
    ['https://example.com/jwt/auth', 'registry.example.com'],
    ['https://auth.registry.example.com/token', 'registry.example.com'],
  ])('at its own host, above it or below it: %s for %s', (realm, registry) => {
    expect(may(realm, registry)).toBe(true)
  })

  it.each([
    ['https://thief.co.uk/token', 'registry.acme.co.uk'],
    ['https://acme.co.uk/token', 'thief.co.uk'],
    ['https://thief.github.io/token', 'acme.github.io'],
    ['https://thief.pages.dev/token', 'acme.pages.dev'],
    ['https://auth.example.com/token', 'registry.example.com'],
    ['https://notexample.com/token', 'example.com'],
    ['https://com/token', 'registry.com'],
    ['https://registry.example.com.thief.net/token', 'registry.example.com'],
    ['https://registry.example.com:444/token', 'registry.example.com'],
    ['http://registry.example.com/token', 'registry.example.com'],
    ['https://10.0.0.1/token', '10.0.0.2'],
    ['https://[::1]/token', 'registry.example.com'],
  ])('never at %s for %s', (realm, registry) => {
    expect(may(realm, registry)).toBe(false)
  })

  it('at a host that the user has named', () => {
    process.env['FTL_REGISTRY_AUTH_HOST'] = 'auth.example.com'
    expect(may('https://auth.example.com/token', 'registry.example.com')).toBe(true)
    expect(may('https://thief.example.com/token', 'registry.example.com')).toBe(false)
    expect(may('http://auth.example.com/token', 'registry.example.com')).toBe(false)
  })
})
