import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type FidelityApplication, startFidelity } from './application.ts'
import { embeddedOnly } from '../support/embedded-only.ts'

let app: FidelityApplication
let network: Server
let origin: string
beforeAll(async () => {
  app = await startFidelity()
  network = createServer((request, response) => {
    if (request.url === '/redirect') response.writeHead(302, { location: '/else' }).end()
    else response.end(`${request.method} ${request.url} of ${String(request.headers['x-mine'])}`)
  })
  await new Promise<void>((resolve) => network.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(network.address() as AddressInfo).port}`
})
afterAll(async () => {
  await app.close()
  network.close()
})

const from = (component: string, to: string, how: '' | '&fresh' = '', init?: RequestInit) =>
  fetch(`${app.url}/${component}/fetch?to=${encodeURIComponent(to)}${how}`, {
    redirect: 'manual',
    ...init,
  })

test('[spin:out-allowed] a request to an allowed address arrives with what the guest sent', async () => {
  const response = await from('guest', `${origin}/x?y`, '', { headers: { 'x-mine': 'mine' } })
  expect(await response.text()).toBe('GET /x?y of mine')
})

describe('[spin:out-denied] any other makes fetch reject, and the guest lives on', () => {
  test.each([
    ['guest', 'http://example.com/', 'host'],
    ['guest', 'https://127.0.0.1:1/', 'scheme'],
    ['guest', 'https://hidden.spin.internal/', 'scheme of a component'],
    ['guest', 'http://localhost:1/', 'name of an allowed address'],
    ['other', 'http://guest.spin.internal/', 'component'],
  ])('%s to %s: another %s', async (component, to) => {
    const response = await from(component, to)
    expect(response.status).toBe(502)
  })
})

test('[spin:out-template] an entry may have expressions; one that resolves to nothing allows nothing', async () => {
  expect(await (await from('other', `${origin}/t`)).text()).toContain('GET /t')
  expect((await from('other', 'http://localhost:80/')).status).toBe(502)
})

test('[spin:out-redirect] redirects come back as they are', async () => {
  const response = await from('guest', `${origin}/redirect`)
  expect([response.status, response.headers.get('location')]).toEqual([302, '/else'])
})

test('[spin:out-self] self.alt is the application through its public routes', async () => {
  const headers = new Map(
    (
      (await (await from('guest', 'http://self.alt/exact?q=1', '&fresh')).json()) as Record<
        'headers',
        [string, string][]
      >
    )['headers'],
  )
  expect(headers.get('spin-matched-route')).toBe('/exact')
  expect((await from('guest', 'http://self.alt/hidden')).status).toBe(404)
})

test('[spin:chain] a component calls a private one: method, path, query, body', async () => {
  const response = await from('guest', 'http://hidden.spin.internal/p?q=1', '', {
    method: 'PUT',
    body: 'ping',
  })
  expect(await response.json()).toMatchObject({
    method: 'PUT',
    url: 'http://hidden.spin.internal/p?q=1',
    body: 'ping',
  })
})

test('[spin:chain-named] a component may be allowed by its name', async () => {
  expect((await from('other', 'http://hidden.spin.internal/')).status).toBe(200)
})

test('[spin:chain-fails] a callee that throws is a 500 to its caller', async () => {
  expect((await from('guest', 'http://hidden.spin.internal/throw')).status).toBe(500)
})

test('[spin:chain-missing] where all are allowed, a component that is not there is a refusal', async () => {
  expect((await from('guest', 'http://nosuch.spin.internal/')).status).toBe(502)
})

test(
  '[spin:chain-missing-named] and so it is where it is allowed by name',
  embeddedOnly('Spin ends the caller'),
  async () => {
    expect((await from('lone', 'http://nosuch.spin.internal/')).status).toBe(502)
  },
)
