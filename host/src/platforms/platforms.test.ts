import { expect, it } from 'vitest'
import { withPlatform } from './platforms.ts'

// https://techdocs.akamai.com/akamai-functions/docs/quotas-and-limits
const SECONDS = 1000
const MIB = 1024 * 1024

it('Akamai Functions bounds the time and the memory of a request, and its bodies', () => {
  expect(withPlatform({ platform: 'akamai' })).toMatchObject({
    requestTimeoutMs: 30 * SECONDS,
    maxInstanceMemory: 128 * MIB,
    maxBodyBytes: 10 * MIB,
    maxResponseBytes: 10 * MIB,
  })
})

it('a limit of the host that is stricter stays, and one that is looser does not', () => {
  const given = { requestTimeoutMs: 5 * SECONDS, maxInstanceMemory: 1024 * MIB }
  expect(withPlatform({ platform: 'akamai', ...given })).toMatchObject({
    requestTimeoutMs: 5 * SECONDS,
    maxInstanceMemory: 128 * MIB,
  })
  expect(withPlatform({ platform: 'akamai', requestTimeoutMs: Infinity })).toMatchObject({
    requestTimeoutMs: 30 * SECONDS,
  })
})

it('without a platform, nothing changes', () => {
  const given = { requestTimeoutMs: 600 * SECONDS }
  expect(withPlatform(given)).toBe(given)
})
