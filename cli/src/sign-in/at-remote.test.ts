import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { signInAtRemote, signOutAtRemote } from './at-remote.ts'

let server: Server | undefined
afterEach(() => void server?.close())

/** A gateway that answers each request so. */
async function gateway(status: number, answer: object): Promise<string> {
  const made = createServer((_request, response) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer)),
  )
  server = made
  await new Promise<void>((resolve) => made.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(made.address() as AddressInfo).port}/mcp`
}

const NONE = {
  error: { code: 'not_found', message: 'There is no such tool. GET /tools lists all.' },
}

it('says why a gateway has no server to sign in at or out of', async () => {
  const url = await gateway(404, NONE)
  const flags = { server: 'tracker', token: 'a-token' }
  await expect(signOutAtRemote(url, flags)).rejects.toThrow(
    /has no server where you sign in: none in its remote_servers has "auth": "consent", or its policy does not allow you the tool sign_out/,
  )
  await expect(signInAtRemote(url, { ...flags, browser: false })).rejects.toThrow(
    'the tool sign_in',
  )
})

it('passes on every other error of the gateway', async () => {
  const url = await gateway(429, { error: { message: 'Too many requests.' } })
  await expect(signOutAtRemote(url, { server: 'tracker', token: 'a-token' })).rejects.toThrow(
    /^Too many requests\.$/,
  )
})
