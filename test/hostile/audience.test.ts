// What is inside and what is on this machine is decided by the socket: a client that writes such a name gains nothing.
import { generateKeyPairSync, sign } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { networkInterfaces, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type RunningApplication, startHostile } from './support/application.ts'
import { attack } from './support/attack.ts'
import { gatewayOver } from './support/publisher.ts'
import { RawClient } from './support/raw-client.ts'
import { sender, tell } from './support/sender.ts'
import { built } from './support/wat.ts'

const ISSUER = 'https://issuer.example'
const GATEWAY = 'mcp-gateway.spin.internal'
const { publicKey, privateKey } = generateKeyPairSync('ed25519')

/** A token that the issuer made for another server of this name. */
function tokenFor(aud: string): string {
  const now = Math.floor(Date.now() / 1000)
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const claims = { iss: ISSUER, aud, sub: 'ada', iat: now, exp: now + 300 }
  const text = `${part({ alg: 'EdDSA', typ: 'at+jwt' })}.${part(claims)}`
  return `${text}.${sign(null, Buffer.from(text), privateKey).toString('base64url')}`
}

/** Addresses of this machine that are not loopback. A machine without a network has none. */
const OUTSIDE = Object.values(networkInterfaces())
  .flatMap((all) => all ?? [])
  .filter(({ internal, family }) => !internal && family === 'IPv4')
  .map(({ address }) => address)
  .slice(0, 1)

let host: RunningApplication
const auditLog = join(tmpdir(), `ftl-audience-${process.pid}.jsonl`)
beforeAll(async () => {
  host = await startHostile(
    {
      // One with programs, which has the routes below /run.
      'mcp-gateway': {
        ...(await gatewayOver(['echo'], {
          auth_issuers: JSON.stringify([
            { issuer: ISSUER, jwks: { keys: [publicKey.export({ format: 'jwk' })] } },
          ]),
          allowed_hosts: 'tools.example',
          policy: 'signed-in',
        })),
        wasm: await built('test/code/mcp-gateway'),
      },
      echo: { wasm: await built('echo'), route: false },
      forger: { wasm: await sender(), allowedHosts: ['http://*.spin.internal'] },
    },
    { listen: '0.0.0.0:0', workers: 1, auditLog },
  )
})
afterAll(() => host.close())

interface Asked {
  /** What the client connects to. @default 127.0.0.1 */
  at?: string
  line?: string
}

/** The status of a request with exactly these lines. */
async function statusOf(lines: readonly string[], { at, line }: Asked = {}): Promise<number> {
  const client = new RawClient(host.port, at)
  try {
    return await client.send(line ?? 'GET /whoami HTTP/1.1', ...lines, '', '').status(20_000)
  } finally {
    client.destroy()
  }
}

const bearer = (aud: string) => `Authorization: Bearer ${tokenFor(aud)}`

test('a program on this machine has the audience of its own address', async () => {
  const lines = [`Host: localhost:${host.port}`]
  expect(await statusOf([...lines, bearer(`http://localhost:${host.port}/mcp`)])).toBe(200)
  expect(await statusOf([...lines, bearer('http://localhost:1/mcp')])).toBe(401)
})

test('a client elsewhere has the audience of the listed name', async () => {
  for (const at of ['127.0.0.1', ...OUTSIDE]) {
    const lines = ['Host: tools.example', bearer('https://tools.example/mcp')]
    expect(await statusOf(lines, { at })).toBe(200)
  }
})

describe('a token for a server on the machine of its user', () => {
  const LOCAL = ['localhost:3000', '127.0.0.1:3000', '[::1]:3000', 'app.localhost']

  for (const name of LOCAL) {
    attack(`is sent over an address of the network, with Host: ${name}`, async () => {
      for (const at of OUTSIDE) {
        const lines = [`Host: ${name}`, bearer(`http://${name}/mcp`)]
        expect(await statusOf(lines, { at })).not.toBe(200)
        const absolute = `GET http://${name}/whoami HTTP/1.1`
        expect(await statusOf(lines, { at, line: absolute })).not.toBe(200)
      }
      // The same through a proxy on this machine.
      const proxied = [`Host: ${name}`, 'X-Forwarded-For: 203.0.113.7']
      expect(await statusOf([...proxied, bearer(`http://${name}/mcp`)])).not.toBe(200)
      return 'auth_audience must be set'
    })
  }

  attack('is sent in HTTP/1.0 without a Host', async () => {
    for (const at of OUTSIDE) {
      const line = 'GET /whoami HTTP/1.0'
      expect(await statusOf([bearer('http://localhost/mcp')], { at, line })).not.toBe(200)
    }
    const proxied = ['X-Forwarded-For: 203.0.113.7', bearer('http://localhost/mcp')]
    expect(await statusOf(proxied, { line: 'GET /whoami HTTP/1.0' })).not.toBe(200)
    return 'auth_audience must be set'
  })

  attack('is sent with a forged spin-client-addr', async () => {
    const forged = ['Host: localhost:3000', bearer('http://localhost:3000/mcp')]
    for (const address of ['127.0.0.1:1', '0.0.0.0:0']) {
      const lines = [...forged, `Spin-Client-Addr: ${address}`]
      for (const at of OUTSIDE) expect(await statusOf(lines, { at })).not.toBe(200)
      expect(await statusOf([...lines, 'Via: 1.1 proxy'])).not.toBe(200)
    }
    return 'the header is left out'
  })

  attack('is sent under the name of the gateway inside, with ftl-client-origin', async () => {
    const origin = 'ftl-client-origin: http://localhost:3000'
    const lines = [`Host: ${GATEWAY}`, origin, bearer('http://localhost:3000/mcp')]
    for (const at of ['127.0.0.1', ...OUTSIDE]) expect(await statusOf(lines, { at })).toBe(421)
    return '421'
  })

  attack('is passed on by a component that names another address of its client', async () => {
    const authorization = [
      'authorization',
      `Bearer ${tokenFor('http://localhost:3000/mcp')}`,
    ] as const
    const headers = [authorization, ['ftl-client-origin', 'http://localhost:3000']] as const
    const told = { to: GATEWAY, path: '/whoami', headers }
    const { outcome } = await tell(`${host.url}/forger/`, told)
    expect(outcome).not.toBe('answered 200')
    return 'the header is left out'
  })
})

test('a component may name the address that its client used', async () => {
  const own = `http://localhost:${host.port}`
  const headers = [
    ['authorization', `Bearer ${tokenFor(`${own}/mcp`)}`],
    ['ftl-client-origin', own],
  ] as const
  const { outcome } = await tell(`${own}/forger/`, { to: GATEWAY, path: '/whoami', headers })
  expect(outcome).toBe('answered 200')
})

describe('a client names a component', () => {
  const HEADS: readonly (readonly [what: string, lines: readonly string[], line?: string])[] = [
    ['in Host', [`Host: ${GATEWAY}`]],
    ['with a port', [`Host: ${GATEWAY}:80`]],
    ['in upper case', ['Host: MCP-GATEWAY.SPIN.INTERNAL']],
    ['with a dot at its end', [`Host: ${GATEWAY}.`]],
    ['with a dot and a port', [`Host: ${GATEWAY}.:3000`]],
    ['with two dots', [`Host: ${GATEWAY}..`]],
    ['with white space', [`Host:\t ${GATEWAY} \t`]],
    ['below another', [`Host: a.${GATEWAY}`]],
    ['that does not exist', ['Host: x.spin.internal']],
    ['that has no name', ['Host: spin.internal']],
    ['in an absolute target', ['Host: localhost'], `GET http://${GATEWAY}/whoami HTTP/1.1`],
    ['in an absolute target in capitals', ['Host: a'], 'GET HTTP://X.SPIN.INTERNAL:80/ HTTP/1.1'],
    ['in Host, below another target', [`Host: ${GATEWAY}`], 'GET http://localhost/ HTTP/1.1'],
    ['in HTTP/1.0', [`Host: ${GATEWAY}`], 'GET /whoami HTTP/1.0'],
    [
      'to ask for the health of the host',
      [`Host: ${GATEWAY}`],
      'GET /.well-known/spin/health HTTP/1.1',
    ],
    ['to reach /run', [`Host: ${GATEWAY}`, 'ftl-run: a.b'], 'GET /run/tools HTTP/1.1'],
    ['at a path without a route', [`Host: ${GATEWAY}`], 'GET /forger HTTP/1.1'],
  ]
  for (const [what, lines, line] of HEADS) {
    attack(`a client names a component ${what}`, async () => {
      for (const at of ['127.0.0.1', ...OUTSIDE]) {
        expect(await statusOf(lines, { at, ...(line !== undefined && { line }) })).toBe(421)
      }
      return '421'
    })
  }

  attack('a client sends two Host headers, one of which names a component', async () => {
    expect(await statusOf(['Host: localhost', `Host: ${GATEWAY}`])).toBe(400)
    expect(await statusOf([`Host: ${GATEWAY}`, 'Host: localhost'])).toBe(400)
    return '400'
  })

  attack('a client pretends to be a component without its name', async () => {
    for (const header of [`X-Forwarded-Host: ${GATEWAY}`, `:authority: ${GATEWAY}`]) {
      const lines = ['Host: localhost', header, 'Spin-Client-Addr: 0.0.0.0:0', 'ftl-run: a.b']
      expect([400, 404]).toContain(await statusOf(lines, { line: 'GET /run/tools HTTP/1.1' }))
    }
    return '404, as for every path that is not there'
  })

  test('no line of the audit log says that a client is inside', async () => {
    expect(await readFile(auditLog, 'utf8')).not.toContain(
      '"internal":true,"face":"http","action":"GET /run',
    )
  })

  test('the connection is closed, and the text says what to do', async () => {
    const client = new RawClient(host.port)
    await client.send('GET / HTTP/1.1', `Host: ${GATEWAY}`, '', '').end()
    expect(client.received).toMatch(/^HTTP\/1\.1 421 [^]*Use the address of the server\.$/)
  })
})
