// A wildcard in allowed_outbound_hosts means the internet: not this machine, its network or other components.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type RunningApplication, startHostile } from './support/application.ts'
import { attack } from './support/attack.ts'
import { sender, tell, type Told } from './support/sender.ts'
import { startUpstream, type Upstream } from './support/upstream.ts'
import { built } from './support/wat.ts'

let host: RunningApplication
let upstream: Upstream
beforeAll(async () => {
  upstream = await startUpstream()
  const wasm = await sender()
  const port = upstream.port
  host = await startHostile(
    {
      wild: { wasm, allowedHosts: ['http://*:*', '*://*:*', 'http://*.internal:*'] },
      named: { wasm, allowedHosts: [`http://localhost:${port}`, `http://127.0.0.1:${port}`] },
      local: { wasm, allowedHosts: ['http://127.0.0.1:*', 'http://localhost:*'] },
      hidden: { wasm: await built('test/hostile/good'), route: false },
    },
    { workers: 1 },
  )
})
afterAll(async () => {
  await host.close()
  await upstream.close()
})

const send = (component: string, told: Told) => tell(`${host.url}/${component}/`, told)

const LOOPBACK = [
  ...['127.0.0.1', '127.1', '127.9.8.7', '0.0.0.0', '0', '2130706433', '0x7f000001', '0177.0.0.1'],
  ...['localhost', 'LOCALHOST.', '[::1]', '[::]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]'],
  ...['[0:0:0:0:0:0:0:1]', '[::127.0.0.1]', '[64:ff9b::7f00:1]', '[2002:7f00:1::]'],
]
for (const name of LOOPBACK) {
  attack(`a wildcard reaches for this machine as ${name}`, async () => {
    const before = upstream.connections.length
    const { outcome } = await send('wild', { to: `${name}:${upstream.port}` })
    expect(upstream.connections).toHaveLength(before)
    // A resolver that does not know the old spellings of 127.0.0.1 is as good.
    expect(outcome).toMatch(/^(destination-IP-prohibited|DNS-error|DNS-timeout)$/)
    return outcome
  })
}

const INSIDE = [
  ...['169.254.169.254', '10.0.0.1', '172.16.0.1', '192.168.0.1', '100.64.0.1', '224.0.0.1'],
  ...['255.255.255.255', '100.100.100.200', '168.63.129.16', '[fe80::1]', '[fd00:ec2::254]'],
  ...['[fc00::1]', '[ff02::1]', '[::ffff:169.254.169.254]', '[64:ff9b::a9fe:a9fe]'],
]
attack('a wildcard reaches for private, link-local and metadata addresses', async () => {
  for (const address of INSIDE) {
    const { outcome } = await send('wild', { to: `${address}:80` })
    expect(`${address} ${outcome}`).toBe(`${address} destination-IP-prohibited`)
  }
  expect(host.errors.map(({ message }) => message).join()).toContain('name the host')
  return 'destination-IP-prohibited, and the log says what to do'
})

attack('a wildcard reaches for another component or the application', async () => {
  for (const to of ['hidden.spin.internal', 'hidden.spin.internal.:80', 'self', 'self.alt']) {
    const { outcome } = await send('wild', { to })
    expect(`${to} ${outcome}`).toBe(`${to} HTTP-request-denied`)
  }
  return 'HTTP-request-denied'
})

attack('a component may send to this machine and sends to the application itself', async () => {
  for (const name of ['127.0.0.1', 'localhost']) {
    const { outcome } = await send('local', { to: `${name}:${host.port}`, path: '/hidden/' })
    expect(outcome).toBe('destination-IP-prohibited')
  }
  return 'destination-IP-prohibited: http://self is the way'
})

test.each(['127.0.0.1', 'localhost', 'LocalHost.', '[::ffff:127.0.0.1]'])(
  'what is named is reached: %s',
  async (name) => {
    const { outcome } = await send('named', { to: `${name}:${upstream.port}` })
    expect(outcome).toBe('answered 200')
  },
)
