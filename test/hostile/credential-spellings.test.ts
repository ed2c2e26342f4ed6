// One caller is counted as one, however it writes its credential and whatever else it sends with it.
import { createHash, randomBytes } from 'node:crypto'
import { afterEach, describe, expect, test } from 'vitest'
import { type RunningApplication, startHostile } from './support/application.ts'
import { attack } from './support/attack.ts'
import { gatewayOver } from './support/publisher.ts'
import { RawClient } from './support/raw-client.ts'
import { built } from './support/wat.ts'

const KEY = `ftl_${randomBytes(32).toString('base64url')}`
const SECRET = randomBytes(24).toString('base64url')
const KEYS = JSON.stringify([
  { sha256: createHash('sha256').update(KEY).digest('hex'), principal: 'ci', scopes: [] },
])

/** So slow that no request comes back within a test. */
const LIMIT = 5
const rateLimit = `${LIMIT}/h`

let host: RunningApplication | undefined
async function start(variables: Record<string, string>): Promise<void> {
  const gateway = await gatewayOver(['echo'], { policy: 'signed-in', ...variables })
  const echo = { wasm: await built('echo'), route: false as const }
  host = await startHostile({ 'mcp-gateway': gateway, echo }, { workers: 1, rateLimit })
}
afterEach(async () => {
  await host?.close()
  host = undefined
})

async function statusOf(lines: readonly string[], from: number): Promise<number> {
  const client = new RawClient(host?.port ?? 0)
  try {
    // This machine is a trusted proxy, so a test can send as any address.
    const address = `X-Forwarded-For: 203.0.${from >> 8}.${from & 255}`
    const head = ['GET /tools HTTP/1.1', 'Host: localhost', address, ...lines, '', '']
    return await client.send(...head).status(20_000)
  } finally {
    client.destroy()
  }
}

/** @returns how many of the spellings are served, each from an address of its own and after the one before. */
async function served(spellings: readonly (readonly string[])[]): Promise<number> {
  let count = 0
  for (const [at, lines] of spellings.entries()) {
    const status = await statusOf(lines, at + 1)
    expect([200, 429]).toContain(status)
    if (status === 200) count++
  }
  return count
}

/** The first request of a credential counts for its address: nothing is known of it. */
const MOST = LIMIT + 1
const each = (spell: (i: number) => readonly string[]) =>
  Array.from({ length: 60 }, (_, i) => spell(i))
const capital = (word: string, i: number) =>
  [...word].map((letter, at) => ((i >> at) & 1 ? letter.toUpperCase() : letter)).join('')

describe('a caller with a key', () => {
  const SPELLINGS: [what: string, spell: (i: number) => readonly string[]][] = [
    ['more and more spaces', (i) => [`Authorization: Bearer ${' '.repeat(i)}${KEY}`]],
    ['another case of the scheme', (i) => [`Authorization: ${capital('bearer', i)} ${KEY}`]],
    ['another case of the header', (i) => [`${capital('authorization', i)}: Bearer ${KEY}`]],
    [
      'white space around it',
      (i) => [`Authorization:${'\t '.repeat(i)}Bearer ${KEY}${' \t'.repeat(i)}`],
    ],
    [
      'another x-forwarded-user',
      (i) => [`Authorization: Bearer ${KEY}`, `X-Forwarded-User: u${i}`],
    ],
    [
      'another x-forwarded-user-secret',
      (i) => [`Authorization: Bearer ${KEY}`, `X-Forwarded-User-Secret: ${i}`],
    ],
    [
      'other headers that carry keys elsewhere',
      (i) => [
        `Authorization: Bearer ${KEY}`,
        `X-Api-Key: ${i}`,
        `Api-Key: ${i}`,
        `Proxy-Authorization: Basic ${i}`,
        `Cookie: key=${i}`,
      ],
    ],
  ]
  for (const [what, spell] of SPELLINGS) {
    attack(`60 addresses send one key, each with ${what}`, async () => {
      await start({ api_keys: KEYS })
      const count = await served(each(spell))
      expect(count).toBeLessThanOrEqual(MOST)
      return `${count} of 60 are served`
    })
  }

  test('is served again under no other spelling, once the limit is reached', async () => {
    await start({ api_keys: KEYS })
    await served(each(() => [`Authorization: Bearer ${KEY}`]))
    expect(await statusOf([`authorization: bEARER     ${KEY}   `], 999)).toBe(429)
  })
})

describe('a user of a proxy', () => {
  const user = 'X-Forwarded-User: ada'
  const secret = `X-Forwarded-User-Secret: ${SECRET}`
  const WITH_SECRET = { trust_forwarded_user: 'true', forwarded_user_secret: SECRET }

  attack('60 addresses name one user, each with another Authorization', async () => {
    await start({ ...WITH_SECRET, api_keys: KEYS })
    const count = await served(each((i) => [user, secret, `Authorization: Bearer x${i}`]))
    expect(count).toBeLessThanOrEqual(MOST)
    return `${count} of 60 are served`
  })

  attack('60 addresses name one user without a secret, each with another one', async () => {
    await start({ trust_forwarded_user: 'without-secret' })
    const spell = (i: number) => [
      user,
      `X-Forwarded-User-Secret: ${i}`,
      `Authorization: Basic ${i}`,
    ]
    const count = await served(each(spell))
    expect(count).toBeLessThanOrEqual(MOST)
    return `${count} of 60 are served`
  })

  test('does not use up the limit of another user, nor that of a key', async () => {
    await start({ ...WITH_SECRET, api_keys: KEYS })
    await served(each(() => [user, secret]))
    expect(await statusOf([user, secret], 999)).toBe(429)
    expect(await statusOf(['X-Forwarded-User: eve', secret], 999)).toBe(200)
    expect(await statusOf([`Authorization: Bearer ${KEY}`], 999)).toBe(200)
  })
})
