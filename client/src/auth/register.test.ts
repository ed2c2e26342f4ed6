// A client that registers itself does so as a public one, also where the metadata does not list that.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { boundedFetch } from './bounded-fetch.ts'
import { clientFor } from './register.ts'

interface Asked {
  token_endpoint_auth_method: string
}

let server: Server
let issuer: string
let asked: Asked[]
let answer: (request: Asked) => [status: number, body: object]
beforeEach(async () => {
  asked = []
  server = createServer((request, response) => {
    void text(request).then((body) => {
      const each = JSON.parse(body) as Asked
      asked.push(each)
      const [status, reply] = answer(each)
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(JSON.stringify(reply))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterEach(() => new Promise((resolve) => server.close(resolve)))

const register = (methods?: string[]) =>
  clientFor(
    {
      issuer,
      registration_endpoint: `${issuer}/register`,
      ...(methods && { token_endpoint_auth_methods_supported: methods }),
    },
    {},
    { redirectUri: 'http://127.0.0.1:1/callback', scope: 'tools' },
    boundedFetch(new URL(`${issuer}/mcp`), {}),
  )
const methods = () => asked.map((each) => each.token_endpoint_auth_method)
const REFUSED = { error: 'invalid_client_metadata', error_description: 'needs a secret' }

// Keycloak 26 and django-oauth-toolkit 3.4 list these two only.
it.each([[undefined], [['client_secret_basic', 'client_secret_post']], [['none']]])(
  'with the methods %j it asks for none',
  async (known) => {
    answer = () => [201, { client_id: 'x', token_endpoint_auth_method: 'none' }]
    expect(await register(known)).toEqual({ id: 'x' })
    expect(methods()).toEqual(['none'])
  },
)

it('it asks for a secret if that is refused, and the server says that it wants one', async () => {
  answer = ({ token_endpoint_auth_method: method }) =>
    method === 'none'
      ? [400, REFUSED]
      : [201, { client_id: 'x', client_secret: 's', client_secret_expires_at: 0 }]
  expect(await register(['client_secret_basic'])).toEqual({ id: 'x', secret: 's' })
  expect(methods()).toEqual(['none', 'client_secret_basic'])
})

it('it does not ask twice where the server lists none, and says why it was refused', async () => {
  answer = () => [400, REFUSED]
  await expect(register(['none'])).rejects.toThrow(/did not register this client: needs a secret/)
  await expect(register(['client_secret_basic'])).rejects.toThrow(/needs a secret/)
  expect(methods()).toEqual(['none', 'none', 'client_secret_basic'])
})

it('a secret that is not to be used is not kept', async () => {
  const body = { client_id: 'x', client_secret: 's', client_secret_expires_at: 0 }
  answer = () => [201, { ...body, token_endpoint_auth_method: 'none' }]
  expect(await register()).toEqual({ id: 'x' })
})
