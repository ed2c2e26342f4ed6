// Each user's own account at a server: sign-in, use, renewal and sign-out, with the official SDK and oidc-provider.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CANNOT_RUN } from './application.ts'
import { ftl } from '../support/command.ts'
import {
  Browser,
  type ConsentWorld,
  keyOf,
  REMOTE_KEY,
  startConsentWorld,
} from './consent-world.ts'
import { serveFetch } from './servers.ts'

const text = ({ content }: { content: { text: string }[] }) =>
  content.map((each) => each.text).join('\n')

describe.skipIf(CANNOT_RUN)('a server where each user signs in', () => {
  let world: ConsentWorld
  beforeAll(async () => {
    world = await startConsentWorld()
  })
  afterAll(() => world?.close())

  it('offers only the tools for signing in until a user has done so', async () => {
    expect(await world.names('ann')).toEqual(['sign_in', 'sign_out'])
  })

  it('is called with the account of each user, after each has signed in once', async () => {
    const done = await world.signIn('ann', 'ann@tracker')
    expect(done.structuredContent).toEqual({ status: 'signed_in', server: 'tracker' })
    expect(await world.names('bob')).toContain('whoami')
    expect(text(await world.call('ann', 'whoami'))).toBe('ann@tracker')

    const refused = await world.call('bob', 'whoami')
    expect(refused.isError).toBe(true)
    expect(text(refused)).toContain(`${world.app.url}/connect/start?ticket=`)
    await world.signIn('bob', 'bob@tracker')

    const users = ['ann', 'bob', 'ann', 'bob', 'ann', 'bob'] as const
    const answers = await Promise.all(users.map((user) => world.call(user, 'whoami')))
    expect(answers.map(text)).toEqual(users.map((user) => `${user}@tracker`))
  })

  it('is signed in and out at with ftl login and ftl logout', async () => {
    const run = async (command: string, ...more: string[]) => {
      const args = [command, `${world.app.url}/mcp`, '--server', 'tracker', ...more]
      const running = ftl(args, { env: { FTL_TOKEN: keyOf('ann') } })
      return { status: await running.exited, output: running.output() }
    }
    const begun = await run('login', '--no-browser')
    expect(begun.status, begun.output).toBe(0)
    const link = /http\S+ticket=\S+/.exec(begun.output)?.[0] ?? ''
    const code = await new Browser(world.issuer).signIn(link, 'ann@cli')
    expect(await run('login', '--code', 'AAAA-AAAA')).toMatchObject({
      status: 1,
      output: expect.stringContaining('not the code') as string,
    })
    const done = await run('login', '--code', code.toLowerCase())
    expect(done.output).toContain('Signed in at "tracker"')
    expect(done.status).toBe(0)
    expect(text(await world.call('ann', 'whoami'))).toBe('ann@cli')
    expect((await run('logout')).output).toContain('Signed out at "tracker"')
    expect((await world.call('ann', 'whoami')).isError).toBe(true)
    expect(text(await world.call('bob', 'whoami'))).toBe('bob@tracker')
  })

  it('is signed in at with ftl login where a proxy serves the gateway below a path', async () => {
    const proxy = await serveFetch((request) => {
      const { pathname } = new URL(request.url)
      const isOurs = pathname.startsWith('/tools/')
      const { method, headers, body } = request
      const url = `${world.app.url}${pathname.slice('/tools'.length)}`
      return isOurs
        ? fetch(url, { method, headers, body, duplex: 'half' } as RequestInit)
        : Promise.resolve(new Response('not the gateway', { status: 404 }))
    })
    const address = proxy.url.replace(/\/mcp$/, '/tools/mcp')
    const args = ['login', address, '--server', 'tracker', '--no-browser']
    const running = ftl(args, { env: { FTL_TOKEN: keyOf('ann') } })
    expect(await running.exited, running.output()).toBe(0)
    expect(running.output()).toMatch(/ticket=/)
    await proxy.close()
  })

  it('is signed out at by the operator, who has the key of the gateway', async () => {
    await world.signIn('ann', 'ann@tracker')
    const run = async (key: string, user: string) => {
      const args = ['logout', `${world.app.url}/mcp`, '--server', 'tracker', '--user', user]
      const running = ftl(args, { env: { SPIN_VARIABLE_REMOTE_KEY: key } })
      return { status: await running.exited, output: running.output() }
    }
    expect(await run('another-key-of-32-characters-or-more', 'key:ann')).toMatchObject({
      status: 1,
      output: expect.stringContaining('does not fit remote_key') as string,
    })
    expect(text(await world.call('ann', 'whoami'))).toBe('ann@tracker')
    const done = await run(REMOTE_KEY, 'key:ann')
    // oidc-provider revokes no access token that is a JWT.
    expect(done.output).toContain('key:ann at tracker: the tokens are forgotten; the last one')
    expect(done.status).toBe(0)
    expect((await world.call('ann', 'whoami')).isError).toBe(true)
    expect(text(await world.call('bob', 'whoami'))).toBe('bob@tracker')
  })
})

describe.skipIf(CANNOT_RUN)('a gateway with a public address', () => {
  it('is a client by the metadata document that it serves', async () => {
    const address = 'https://gateway.example'
    const requested: string[] = []
    const world: ConsentWorld = await startConsentWorld({
      variables: { remote_address: '', auth_audience: `${address}/mcp` },
      authorizationServer: {
        async fetchClient(url) {
          requested.push(url)
          return fetch(url.replace(address, world.app.url))
        },
      },
    })
    try {
      const { structuredContent } = await world.call('ann', 'sign_in', { server: 'tracker' })
      const browser = new Browser(world.issuer, { [address]: world.app.url })
      const code = await browser.signIn(String(structuredContent?.['url']), 'ann')
      await world.call('ann', 'sign_in', { server: 'tracker', code })
      expect(text(await world.call('ann', 'whoami'))).toBe('ann')
      expect(requested).toContain(`${address}/connect/client.json`)
      expect(browser.setCookies.join()).toMatch(/^__Host-ftl-connect=.*; Secure/)
    } finally {
      await world.close()
    }
  })
})
