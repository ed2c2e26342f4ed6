// Whether a caller's token reaches a server, another user or a refusal.
import { sha256 } from 'ftl-http'
import { describe, expect, it } from 'vitest'
import {
  callsIn,
  CALLER,
  SECRET,
  sentTo,
  SERVER,
  startHostile,
  textOf,
  tokenAnswer,
} from './testing/hostile-world.ts'

/** Two users whose tokens are kept at the same place. */
async function neighbors(): Promise<[string, string]> {
  const seen = new Map<string, string>()
  for (let number = 0; ; number++) {
    const user = `user-${number}`
    const place = (await sha256(user)).slice(0, 3)
    const other = seen.get(place)
    if (other !== undefined) return [other, user]
    seen.set(place, user)
  }
}

describe('the token of the caller', () => {
  it('is not sent to the server if the authorization server gives it back as it is', async () => {
    const { call, requests } = startHostile({
      token: (form) => tokenAnswer(form.get('subject_token')!),
    })
    const answer = await call('ann', CALLER)
    expect(answer).toMatchObject({ isError: true })
    expect(textOf(answer)).toContain('not exchanged')
    expect(sentTo(requests, SERVER).join()).not.toContain(CALLER)
  })

  it('of one user is never used for another one, also where both are kept at one place', async () => {
    const { call, requests } = startHostile()
    const [one, other] = await neighbors()
    const [first, second] = [
      textOf(await call(one, 'token-of-one')),
      textOf(await call(other, 'token-of-two')),
    ]
    expect(first).not.toBe(second)
    for (let turn = 0; turn < 2; turn++) {
      expect(textOf(await call(one, 'token-of-one'))).toBe(first)
      expect(textOf(await call(other, 'token-of-two'))).toBe(second)
    }
    // A user with the token of another one gets what that token permits, and nothing that was kept.
    expect(textOf(await call(one, 'token-of-two'))).toBe(second)
    expect(sentTo(requests, SERVER)).not.toContain('Bearer ')
  })

  it('of two users who call at once reaches the request of its own user', async () => {
    const { call } = startHostile({
      token: async (form) => {
        // The first to ask is the last to be answered.
        const user = form.get('subject_token') ?? ''
        for (let turn = 0; turn < (user.endsWith('0') ? 50 : 1); turn++) await Promise.resolve()
        return tokenAnswer(`for-${user}`)
      },
    })
    const users = Array.from({ length: 12 }, (_, number) => `user-${number % 4}-${number}`)
    const answers = await Promise.all(users.map((user) => call(user, `token-of-${user}`)))
    expect(answers.map(textOf)).toEqual(users.map((user) => `FOR-TOKEN-OF-${user.toUpperCase()}`))
  })

  it('and the secret of the client are in no refusal, however the server writes JSON', async () => {
    const written: ((text: string) => string)[] = [
      (text) => text,
      // As PHP, Go and .NET do.
      (text) => text.replaceAll('/', '\\/'),
      (text) => text.replaceAll('&', '\\u0026').replaceAll('+', '\\u002B'),
      (text) => text.replaceAll(/[a-z]/g, (each) => `\\u00${each.charCodeAt(0).toString(16)}`),
    ]
    for (const write of written) {
      const words = write(`no ${CALLER} for ${SECRET}`)
      const body = `{"error":"invalid_grant","error_description":"${words}"}`
      const { call } = startHostile({
        token: () =>
          new Response(body, { status: 400, headers: { 'content-type': 'application/json' } }),
      })
      const answer = await call('ann', CALLER)
      expect(textOf(answer)).toContain('no [redacted] for [redacted]')
      expect(JSON.stringify(answer)).not.toMatch(/of\+ann|of\+ftl/)
    }
  })

  it.each([
    [
      'an error in an answer with status 200',
      () => Response.json({ error: 'x', error_description: CALLER }),
    ],
    [
      'a challenge',
      () =>
        new Response(CALLER, {
          status: 401,
          headers: { 'www-authenticate': `Bearer realm="${CALLER}"` },
        }),
    ],
    ['a page', () => new Response(`<p>${CALLER}`, { headers: { 'content-type': 'text/html' } })],
    ['a token with the line of another header', () => tokenAnswer(`x\r\nx-other: ${CALLER}`)],
    ['a token with other characters', () => tokenAnswer(`ü ${CALLER}`)],
    ['no token', () => Response.json({ token_type: CALLER })],
    ['a token of another kind', () => tokenAnswer('an-id-token', { issued_token_type: CALLER })],
    ['a token that needs a proof', () => tokenAnswer('x', { token_type: 'DPoP' })],
  ])('is not shown and not sent on when the authorization server answers %s', async (_, token) => {
    const { call, requests } = startHostile({ token })
    const answer = await call('ann', CALLER)
    expect(answer).toMatchObject({ isError: true })
    expect(textOf(answer)).toMatch(/^The token of the caller was not exchanged for "tracker"/)
    expect(JSON.stringify(answer)).not.toContain(CALLER)
    expect(callsIn(requests)).toEqual([])
  })
})
