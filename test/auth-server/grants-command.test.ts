// `ftl auth grants` and `ftl auth revoke` against the component on the real host.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ftl } from '../support/command.ts'
import { type AuthServer, HandClient, startAuthServer } from './application.ts'

const KEY = 'a key of this test, with 32 characters or more'
const MINUTES = 3 * 60_000

let server: AuthServer
beforeAll(async () => {
  server = await startAuthServer({ auth_server_key: KEY })
})
afterAll(() => server.close())

async function run(...args: string[]): Promise<{ code: number | null; output: string }> {
  const env = { SPIN_VARIABLE_AUTH_SERVER_URL: server.url, SPIN_VARIABLE_AUTH_SERVER_KEY: KEY }
  const command = ftl(['auth', ...args], { env })
  const code = await command.exited
  return { code, output: command.output() }
}

it('the operator sees what users have allowed, and ends it', { timeout: MINUTES }, async () => {
  const clients = await Promise.all(
    ['Client \u001b[31mone', 'Other'].map(async (client_name) => {
      const client = new HandClient(server)
      await client.register({ client_name })
      return client
    }),
  )
  const tokens: unknown[] = []
  for (const client of clients)
    tokens.push((await client.redeem(await client.code())).body['refresh_token'])
  const listed = await run('grants')
  expect(listed.output).toMatch(/^ada +operators\n/)
  expect(listed.output).toContain('Other (client.example)')
  // The name is that of a stranger.
  expect(listed.output).not.toContain('\u001b[31m')
  const { output: json } = await run('grants', '--user', 'ada', '--json')
  const { users } = JSON.parse(json) as { users: { grants: { client: string; name: string }[] }[] }
  const id = users[0]?.grants.find(({ name }) => name === 'Other')?.client ?? ''
  const ended = await run('revoke', 'ada', '--client', id)
  expect(ended).toMatchObject({
    code: 0,
    output: expect.stringContaining('Removed Other') as string,
  })
  expect((await clients[1]?.refresh(tokens[1]))?.status).toBe(400)
  const renewed = await clients[0]?.refresh(tokens[0])
  expect(renewed?.status).toBe(200)
  expect((await run('revoke', 'ada')).code).toBe(0)
  expect((await clients[0]?.refresh(renewed?.body['refresh_token']))?.status).toBe(400)
  expect((await run('grants')).output).toContain('No user has allowed a client')
  const nothing = await run('revoke', 'ada')
  expect([nothing.code, nothing.output]).toEqual([1, expect.stringContaining('no such client')])
})

it('says what is wrong with another key, and where no such server answers', async () => {
  const command = ftl(['auth', 'grants', '--url', server.url], {
    env: {
      SPIN_VARIABLE_AUTH_SERVER_URL: server.url,
      SPIN_VARIABLE_AUTH_SERVER_KEY: KEY.toUpperCase(),
    },
  })
  expect(await command.exited).toBe(1)
  expect(command.output()).toContain('auth_server_key')
  const { code, output } = await run('grants', '--url', 'http://127.0.0.1:9')
  expect([code, output]).toEqual([1, expect.stringContaining('does not answer')])
})

it('does not believe an earlier answer of the server', async () => {
  const answers: string[] = []
  const between = createServer((request, response) => {
    void (async () => {
      const body = (await request.toArray()).join('')
      const asked = await fetch(new URL('/auth/operator', server.url), { method: 'POST', body })
      answers.push(await asked.text())
      response.end(answers[0])
    })()
  })
  await new Promise<void>((resolve) => between.listen(0, '127.0.0.1', resolve))
  const { port } = between.address() as AddressInfo
  const asking = () => run('grants', '--url', `http://127.0.0.1:${port}`)
  expect((await asking()).code).toBe(0)
  const { code, output } = await asking()
  expect([code, output]).toEqual([1, expect.stringContaining('did not answer this request')])
  expect(answers).toHaveLength(2)
  between.close()
})
