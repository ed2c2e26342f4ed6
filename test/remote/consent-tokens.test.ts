// What happens to the tokens of users: renewal, refusal, sign-out, and where they can be seen.
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Client, StreamableHTTPClientTransport as Transport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CANNOT_RUN } from './application.ts'
import { Browser, type ConsentWorld, keyOf, startConsentWorld } from './consent-world.ts'

const text = ({ content }: { content: { text?: string }[] }) =>
  content.map((each) => each.text).join('\n')

describe.skipIf(CANNOT_RUN)('the token of a user', () => {
  let world: ConsentWorld
  beforeAll(async () => {
    world = await startConsentWorld()
    await world.signIn('ann')
  })
  afterAll(() => world?.close())

  it('is not in what a tool returns', async () => {
    expect(text(await world.call('ann', 'echo_token'))).toBe('It is [redacted]')
  })

  it('is renewed once for calls at the same time, when it is about to end', async () => {
    world.issuer.tokenSeconds = 1
    await world.signIn('ann')
    world.issuer.tokenSeconds = 300
    const before = world.issuer.tokenRequests
    const calls = Array.from({ length: 6 }, () => world.call('ann', 'whoami'))
    expect((await Promise.all(calls)).map(text)).toEqual(Array.from({ length: 6 }, () => 'ann'))
    expect(world.issuer.tokenRequests - before).toBe(1)
    expect(text(await world.call('ann', 'whoami'))).toBe('ann')
    expect(world.issuer.tokenRequests - before).toBe(1)
  })

  it('is renewed when the server refuses it before its end', async () => {
    await world.call('ann', 'whoami')
    for (const token of world.server.tokens) world.server.revoked.add(token)
    expect(text(await world.call('ann', 'whoami'))).toBe('ann')
  })

  it('is not renewed without end: the user signs in again', async () => {
    world.server.refusesAll = true
    const refused = await world.call('ann', 'whoami')
    world.server.refusesAll = false
    expect(refused.isError).toBe(true)
    expect(text(refused)).toContain('/connect/start?ticket=')
    await world.signIn('ann')
    expect(text(await world.call('ann', 'whoami'))).toBe('ann')
  })

  it('is revoked at the authorization server and forgotten when the user signs out', async () => {
    await world.signIn('bob')
    const done = await world.call('ann', 'sign_out', { server: 'tracker' })
    expect(done.structuredContent).toMatchObject({ status: 'signed_out' })
    expect(['revoked', 'partly']).toContain(done.structuredContent?.['revocation'])
    expect((await world.call('ann', 'whoami')).isError).toBe(true)
    expect(text(await world.call('bob', 'whoami'))).toBe('bob')
    expect(await world.call('ann', 'sign_out', { server: 'tracker' })).toMatchObject({
      structuredContent: { revocation: 'none' },
    })
  })

  it('is neither in the store nor in the log', async () => {
    await world.signIn('ann')
    await world.call('ann', 'whoami')
    const files = await readdir(world.app.stateDir, { recursive: true, withFileTypes: true })
    const contents = await Promise.all(
      files
        .filter((each) => each.isFile())
        .map((each) => readFile(join(each.parentPath, each.name))),
    )
    const all = `${Buffer.concat(contents).toString('latin1')}${world.app.log()}`
    expect(all).toContain('remote:remote:consent1:grant:tracker:')
    expect(world.server.tokens.size).toBeGreaterThan(2)
    for (const token of world.server.tokens) expect(all).not.toContain(token.slice(-40))
  })

  it('is asked for by an official client of 2026-07-28, whose call then goes on', async () => {
    await world.call('ann', 'sign_out', { server: 'tracker' })
    const client = new Client(
      { name: 'test', version: '1' },
      {
        versionNegotiation: { mode: 'auto' },
        capabilities: { elicitation: { url: {}, form: {} } },
      },
    )
    const browser = new Browser(world.issuer)
    const asked: unknown[] = []
    let code = ''
    client.setRequestHandler('elicitation/create', async ({ params }) => {
      asked.push(params.mode)
      if (params.mode === 'url') {
        code = await browser.signIn(params.url, 'ann')
        return { action: 'accept' }
      }
      // People mistype.
      return { action: 'accept', content: { code: asked.length === 2 ? 'AAAA-AAAA' : code } }
    })
    const headers = { authorization: `Bearer ${keyOf('ann')}` }
    const transport = new Transport(new URL(`${world.app.url}/mcp`), { requestInit: { headers } })
    await client.connect(transport)
    const result = await client.callTool({ name: 'whoami', arguments: {} })
    await client.close()
    expect(result.content).toEqual([{ type: 'text', text: 'ann' }])
    expect(asked).toEqual(['url', 'form', 'form'])
  })
})
