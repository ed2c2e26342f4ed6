// A sign-in that somebody else tries to use: other browsers, other users, changed links, other servers' metadata.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { callTool } from '../support/rpc.ts'
import { CANNOT_RUN, startRemote } from './application.ts'
import {
  Browser,
  type ConsentWorld,
  REMOTE_KEY,
  startConsentWorld,
  type User,
} from './consent-world.ts'

const text = ({ content }: { content: { text?: string }[] }) =>
  content.map((each) => each.text).join('\n')

let world: ConsentWorld
let browser: Browser
const linkOf = async (user: User) => {
  const { structuredContent } = await world.call(user, 'sign_in', { server: 'tracker' })
  return String(structuredContent?.['url'])
}
const confirm = (user: User, code: string) =>
  world.call(user, 'sign_in', { server: 'tracker', code })

beforeAll(async () => {
  if (CANNOT_RUN) return
  world = await startConsentWorld()
  await world.signIn('ann')
})
afterAll(() => world?.close())
beforeEach(() => (browser = new Browser(world.issuer)))
afterEach(() => {
  world.server.resource = world.server.url
  world.server.issuer = world.issuer.url
})

describe.skipIf(CANNOT_RUN)('a link to sign in', () => {
  it('names the user, the server and the gateway, and changes nothing until the user goes on', async () => {
    const before = world.issuer.tokenRequests
    const response = await browser.request(await linkOf('ann'))
    expect(response.status).toBe(200)
    expect(browser.text).toContain('<strong>key:ann</strong>')
    expect(browser.text).toContain('<strong>tracker</strong>')
    expect(browser.text).toContain(new URL(world.app.url).host)
    expect(response.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    expect(browser.setCookies.join()).toMatch(/HttpOnly; SameSite=Lax/)
    expect(world.issuer.tokenRequests).toBe(before)
  })

  it('that was sent to a victim gives the sender nothing: only the victim sees the code', async () => {
    const link = await linkOf('bob')
    const victim = new Browser(world.issuer)
    const code = await victim.signIn(link, 'victim@tracker')
    expect((await world.call('bob', 'whoami')).isError).toBe(true)
    // The victim's own user cannot take it either.
    expect(text(await confirm('ann', code))).toMatch(/No sign-in at "tracker" waits/)
    expect(text(await world.call('ann', 'whoami'))).toBe('ann')
  })

  it('has a code that cannot be guessed: after five wrong ones the sign-in begins again', async () => {
    const code = await browser.signIn(await linkOf('ann'), 'ann')
    for (let tries = 0; tries < 4; tries++) {
      expect(text(await confirm('ann', 'AAAA-AAAA'))).toMatch(/not the code/)
    }
    expect(text(await confirm('ann', 'AAAA-AAAA'))).toMatch(/No sign-in/)
    expect(text(await confirm('ann', code))).toMatch(/No sign-in/)
  })

  it('is refused when it was changed, or is for another purpose', async () => {
    const link = new URL(await linkOf('ann'))
    const ticket = link.searchParams.get('ticket') ?? ''
    const at = ticket.length - 3
    const changed = `${ticket.slice(0, at)}${ticket[at] === 'A' ? 'B' : 'A'}${ticket.slice(at + 1)}`
    const state = (await browser.begin(link.href)).searchParams.get('state') ?? ''
    for (const other of [changed, state, '', 'x', '%00', ticket.repeat(200)]) {
      link.searchParams.set('ticket', other)
      const response = await browser.request(link)
      expect([400, 414, 431]).toContain(response.status)
      expect(browser.text).not.toContain('<form')
    }
  })

  it('does not begin by a form of another site, which has no cookie', async () => {
    const link = await linkOf('ann')
    await browser.request(link)
    const form = browser.fields()
    const other = new Browser(world.issuer)
    const send = (fields: Record<string, string>, by: Browser) =>
      by.request(new URL('start', link), { method: 'POST', body: new URLSearchParams(fields) })
    expect((await send(form, other)).status).toBe(403)
    expect((await send({ ...form, browser: 'x' }, browser)).status).toBe(403)
    expect((await send({ ticket: 'x'.repeat(64 * 1024) }, browser)).status).toBe(413)
    expect((await send(form, browser)).status).toBe(303)
  })
})

describe.skipIf(CANNOT_RUN)('the answer of the authorization server', () => {
  it('is refused in another browser than the one that began', async () => {
    const back = await browser.consent(await browser.begin(await linkOf('ann')), 'attacker')
    const victim = new Browser(world.issuer)
    await victim.request(await linkOf('bob'))
    for (const other of [new Browser(world.issuer), victim]) {
      expect((await other.request(back)).status).toBe(400)
      expect(other.text).not.toContain('class="code"')
    }
    // The right browser still can.
    await browser.request(back)
    expect(browser.code()).toMatch(/^[2-9A-Z]{4}-[2-9A-Z]{4}$/)
  })

  it('is used once, and not after a later sign-in has begun', async () => {
    const link = await linkOf('ann')
    const first = await browser.consent(await browser.begin(link), 'ann')
    const second = await browser.consent(await browser.begin(link), 'ann')
    expect((await browser.request(first)).status).toBe(400)
    expect((await browser.request(second)).status).toBe(200)
    expect((await browser.request(second)).status).toBe(400)
  })

  it('is refused with another state, another issuer, or the code of another sign-in', async () => {
    const mine = await browser.consent(await browser.begin(await linkOf('ann')), 'ann')
    const other = new Browser(world.issuer)
    const foreign = await other.consent(await other.begin(await linkOf('bob')), 'attacker')
    const changed = (name: string, value: string | null) => {
      const address = new URL(mine)
      address.searchParams.set(name, value ?? '')
      return address
    }
    const isRefused = async (address: URL) => {
      const by = await browser.request(address)
      return by.status === 400 && !browser.text.includes('class="code"')
    }
    expect(await isRefused(changed('state', 'x'))).toBe(true)
    expect(await isRefused(changed('state', foreign.searchParams.get('state')))).toBe(true)
    // This one uses the sign-in up.
    expect(await isRefused(changed('iss', 'https://other.example'))).toBe(true)
    expect(await isRefused(mine)).toBe(true)
    const again = await browser.consent(await browser.begin(await linkOf('ann')), 'ann')
    again.searchParams.set('code', foreign.searchParams.get('code') ?? '')
    expect(await isRefused(again)).toBe(true)
  })

  it('of a user who declines is a page that says so, without markup of the server', async () => {
    const at = await browser.begin(await linkOf('ann'))
    const back = new URL('callback', await linkOf('ann'))
    back.search = new URLSearchParams({
      error: 'access_denied',
      error_description: '<script>alert(1)</script>',
      iss: world.issuer.url,
      state: at.searchParams.get('state') ?? '',
    }).toString()
    expect((await browser.request(back)).status).toBe(400)
    expect(browser.text).toContain('access_denied')
    expect(browser.text).not.toContain('<script>')
  })
})

describe.skipIf(CANNOT_RUN)('metadata of a server', () => {
  const refusal = async () => {
    await expect(browser.begin(await linkOf('ann'))).rejects.toThrow(/^400/)
    return browser.text
  }

  it('that names another resource is refused', async () => {
    world.server.resource = 'https://bank.example/mcp'
    expect(await refusal()).toContain('is for another server')
  })

  it('that names an authorization server on a host that the manifest does not have is refused', async () => {
    world.server.issuer = 'https://issuer.example'
    expect(await refusal()).toContain('issuer.example cannot be reached')
    world.server.issuer = 'http://10.0.0.1'
    expect(await refusal()).toContain('must begin with https://')
  })

  it('that leads to another authorization server by a redirect is refused', async () => {
    const inner = createServer((_, response) =>
      response.writeHead(302, { location: world.issuer.url }).end(),
    )
    await new Promise<void>((resolve) => inner.listen(0, '127.0.0.1', resolve))
    world.server.issuer = `http://127.0.0.1:${(inner.address() as AddressInfo).port}`
    expect(await refusal()).toContain('redirect, which is not followed')
    await new Promise((resolve) => inner.close(resolve))
  })
})

describe.skipIf(CANNOT_RUN)('a gateway that is not ready for sign-in', () => {
  it('refuses callers that it does not know', async () => {
    const app = await startRemote(
      { tracker: { url: world.server.url, auth: 'consent' } },
      { remote_key: REMOTE_KEY, remote_address: 'http://127.0.0.1:1' },
    )
    const answer = await callTool(app.url, 'sign_in', { server: 'tracker' })
    await app.close()
    expect(JSON.stringify(answer.result)).toContain('must configure authentication')
  })

  it.each([
    [{}, 'remote_key'],
    [{ remote_key: REMOTE_KEY }, 'remote_address'],
    [{ remote_key: REMOTE_KEY, remote_address: 'http://gateway.example' }, 'remote_address'],
  ])('leaves the server out with a report: %j', async (variables, named) => {
    const app = await startRemote(
      { tracker: { url: world.server.url, auth: 'consent' } },
      variables,
    )
    const problems = await app.problems()
    await app.close()
    expect(problems.join('\n')).toContain(`"tracker": its auth needs the variable ${named}`)
  })
})
