// What an operator reads whose gateway answers oddly, or not at all.
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { CommandFailure } from '../terminal/failure.ts'
import { signOutUser } from './of-user.ts'

const KEY_VARIABLE = 'SPIN_VARIABLE_REMOTE_KEY'

const opened: Server[] = []

afterEach(() => {
  vi.unstubAllEnvs()
  for (const server of opened.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

/** @returns the message. */
async function failure(answer: RequestListener, timeoutMs?: number): Promise<string> {
  vi.stubEnv(KEY_VARIABLE, 'a-key-of-at-least-32-characters--')
  const server = createServer(answer)
  opened.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const asked = {
    server: 'tracker',
    user: 'key:ada',
    ...(timeoutMs !== undefined && { timeoutMs }),
  }
  return signOutUser(`http://127.0.0.1:${port}/mcp`, asked).then(
    (code) => `the exit code ${code}`,
    (error: unknown) =>
      error instanceof CommandFailure ? error.message : `not explained: ${String(error)}`,
  )
}

describe('a sign-out of a user names what is wrong', () => {
  it.each<[string, RequestListener, string]>([
    [
      'no component remote',
      (_, to) => to.writeHead(404).end('<p>none</p>'),
      'has no component remote',
    ],
    [
      'a fault of the gateway',
      (_, to) => to.writeHead(500).end('<p>'),
      'status 500: the log of the gateway',
    ],
    ['a gateway that starts', (_, to) => to.writeHead(503).end(), 'status 503'],
    [
      'another address',
      (_, to) => to.writeHead(308, { location: 'https://gw.example/connect/sign-out' }).end(),
      'leads to https://gw.example/connect/sign-out',
    ],
    ['a page', (_, to) => to.writeHead(200).end('<p>Welcome</p>'), 'answered with a page'],
    [
      'a refusal with control characters',
      (_, to) => to.writeHead(403).end('{"error":{"message":"no\\u001b[2J"}}'),
      'no\\x1b[2J',
    ],
    [
      'an answer that breaks off',
      (_, to) => void to.writeHead(200).write('{', () => to.destroy()),
      'cannot be reached',
    ],
  ])('%s', async (_, answer, text) => {
    expect(await failure(answer)).toContain(text)
  })

  it('no answer', async () => {
    expect(await failure(() => undefined, 50)).toContain('did not answer')
  })
})

it('an empty variable is not the key', async () => {
  vi.stubEnv(KEY_VARIABLE, '')
  await expect(
    signOutUser('http://127.0.0.1:1/mcp', { server: 'tracker', user: 'key:ada' }),
  ).rejects.toThrow('remote_key')
})
