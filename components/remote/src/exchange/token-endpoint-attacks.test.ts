// An authorization server that answers without end, elsewhere, or what no server can use.
import { describe, expect, it } from 'vitest'
import {
  callsIn,
  CALLER,
  ISSUER,
  SERVER,
  startHostile,
  textOf,
  tokenAnswer,
} from './testing/hostile-world.ts'

describe('the token endpoint', () => {
  it.each([301, 302, 303, 307, 308])(
    'that redirects with status %d is not followed',
    async (status) => {
      const location = 'https://other.example/token'
      const { call, requests } = startHostile({
        token: (_, address) =>
          address === `${ISSUER}/token`
            ? new Response(null, { status, headers: { location } })
            : tokenAnswer('from-elsewhere'),
      })
      expect(textOf(await call('ann', CALLER))).toMatch(/redirect/)
      expect(requests.map(({ address }) => address)).not.toContain(location)
    },
  )

  it('that answers without end is given up', async () => {
    let sent = 0
    const { call, requests } = startHostile({
      token: () =>
        new Response(
          new ReadableStream({
            pull(controller) {
              sent += 65_536
              controller.enqueue(new TextEncoder().encode(' '.repeat(65_536)))
            },
          }),
          { headers: { 'content-type': 'application/json' } },
        ),
    })
    expect(textOf(await call('ann', CALLER))).toMatch(/sent more than 256 KiB/)
    expect(sent).toBeLessThan(1024 * 1024)
    expect(callsIn(requests)).toEqual([])
  })

  it('that gives a token too large for a header is refused, and nothing is kept', async () => {
    const { call, requests } = startHostile({ token: () => tokenAnswer('x'.repeat(100_000)) })
    expect(textOf(await call('ann', CALLER))).toMatch(/too large/)
    expect(callsIn(requests)).toEqual([])
  })

  it.each([
    ['never answers', () => new Promise<Response>(() => {})],
    [
      'begins an answer and does not end it',
      () =>
        new Response(
          new ReadableStream({ start: (controller) => controller.enqueue(new Uint8Array([123])) }),
          {
            headers: { 'content-type': 'application/json' },
          },
        ),
    ],
  ])('that %s takes no longer than the call has', async (_, token) => {
    const { call } = startHostile({ token })
    const answer = await call('ann', CALLER, { 'ftl-deadline': '2500' })
    expect(answer).toMatchObject({ isError: true })
    expect(textOf(answer)).toMatch(/not exchanged for "tracker".*within \d+ ms/)
  })

  it('that has moved is found again by the metadata of the same issuer', async () => {
    let place = `${ISSUER}/token`
    const { call, requests } = startHostile({
      endpoint: () => place,
      token: (form, address) =>
        address === place
          ? tokenAnswer(`for-${form.get('subject_token')}`)
          : new Response('', { status: 404 }),
    })
    expect(textOf(await call('ann', 'one'))).toBe('FOR-ONE')
    place = `${ISSUER}/v2/token`
    expect(textOf(await call('ann', 'two'))).toBe('FOR-TWO')
    // What the authorization server refuses is not asked again elsewhere.
    const before = requests.length
    place = `${ISSUER}/v3/token`
    expect(textOf(await call('ann', 'two'))).toBe('FOR-TWO')
    expect(requests.slice(before).map(({ address }) => address)).toEqual([SERVER])
  })

  it('of another issuer or deeper in the network is not asked', async () => {
    for (const place of [
      'http://login.example/token',
      'https://127.0.0.1/token',
      'https://10.0.0.7/token',
    ]) {
      const { call, requests } = startHostile({ endpoint: () => place })
      expect(JSON.stringify(await call('ann', CALLER))).toContain('not_found')
      expect(requests.filter(({ body }) => body.includes('grant_type'))).toEqual([])
      expect(callsIn(requests)).toEqual([])
    }
  })
})
