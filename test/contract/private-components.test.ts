import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isRefusal, startApplication, type TestApplication } from '../support/application.ts'

let application: TestApplication
beforeAll(async () => (application = await startApplication()))
afterAll(() => application.close())

/**
 * fetch sets Host itself, so a hostile one needs the plain client.
 *
 * @returns status 0 where the connection was cut: Spin refuses a Host that names a component in this way.
 */
function get(
  path: string,
  headers: Record<string, string> = {},
): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(application.url)
    const outgoing = request({ hostname, port, path, headers }, (response) => {
      let body = ''
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => (body += chunk))
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body }))
    })
    outgoing.on('error', (error) =>
      isRefusal(error) ? resolve({ status: 0, body: '' }) : reject(error),
    )
    outgoing.end()
  })
}

/** The metadata a component answers on `GET /`; a client that gets it has reached the component. */
const REACHED = '"name":"counter"'

describe('a private component cannot be reached from outside', () => {
  const hosts = ['counter.spin.internal', 'counter.spin.internal:80', 'COUNTER.SPIN.INTERNAL']
  const headers: Record<string, string>[] = [
    {},
    ...hosts.map((host) => ({ host })),
    ...hosts.map((host) => ({ 'x-forwarded-host': host, forwarded: `host=${host}` })),
    {
      'spin-component-route': '',
      'spin-matched-route': '/...',
      'spin-raw-component-route': '/...',
    },
    { 'spin-full-url': 'http://counter.spin.internal/', 'spin-client-addr': '0.0.0.0:0' },
    { 'spin-path-info': '/', 'spin-base-path': '/', host: 'counter.spin.internal' },
  ]
  for (const path of ['/', '/counter', '/counter/', '/http://counter.spin.internal/']) {
    it.each(headers)(`at ${path} with %j`, async (sent) => {
      const { body } = await get(path, sent)
      expect(body).not.toContain(REACHED)
    })
  }

  it('by an absolute request target', async () => {
    const { body } = await get('http://counter.spin.internal/')
    expect(body).not.toContain(REACHED)
  })

  it('and the gateway still reaches it', async () => {
    const response = await fetch(`${application.url}/mcp`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"counter","arguments":{}}}',
    })
    expect(await response.text()).toContain('"1 1"')
  })
})
