import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Pipe } from '../http/pipe.ts'
import type { OutboundRequest } from '../instance/services.ts'
import { kindOf } from '../http/addresses.ts'
import { mayEndAt, type Reach } from '../manifest/allowed-hosts.ts'
import { Network } from './network.ts'

let server: Server
let port: number
let connections = 0
beforeAll(async () => {
  server = createServer((_, response) => response.end('inside'))
  server.on('connection', () => connections++)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  ;({ port } = server.address() as AddressInfo)
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

const request = (): OutboundRequest => ({
  method: 'GET',
  scheme: 'http',
  authority: 'name.example',
  path: '/',
  headers: [],
  body: Pipe.empty(),
  connectTimeoutMs: 2000,
  firstByteTimeoutMs: 2000,
  betweenBytesTimeoutMs: 2000,
  signal: new AbortController().signal,
})

/** Sends to a name that stands for the addresses, the next list for each look-up. */
async function sendTo(reach: Reach, ...answers: string[][]) {
  const refused: string[] = []
  let lookups = 0
  const network = new Network((_, done) => {
    const addresses = answers[lookups++] ?? []
    done(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    )
  })
  try {
    const { status } = await network.send(request(), {
      secure: false,
      host: 'name.example',
      port,
      allows: (address) => mayEndAt(reach, kindOf(address)),
      refused: (addresses) => refused.push(...addresses),
    })
    return { outcome: String(status), refused, lookups }
  } catch (error) {
    return { outcome: (error as { code: string }).code, refused, lookups }
  } finally {
    network.close()
  }
}

describe('a name that stands for an inner address', () => {
  test.each<[Reach, string, string]>([
    ['public', '127.0.0.1', 'destination-IP-prohibited'],
    ['public', '::ffff:127.0.0.1', 'destination-IP-prohibited'],
    ['public', '10.0.0.1', 'destination-IP-prohibited'],
    ['named', '127.0.0.1', '200'],
    ['named', '169.254.169.254', 'destination-IP-prohibited'],
    ['named', '0.0.0.0', 'destination-IP-prohibited'],
    ['named', 'fe80::1', 'destination-IP-prohibited'],
  ])('by an entry that reaches %s: %s is %s', async (reach, address, expected) => {
    const before = connections
    const { outcome, refused } = await sendTo(reach, [address])
    expect(outcome).toBe(expected)
    expect(refused).toEqual(expected === '200' ? [] : [address])
    expect(connections - before).toBe(expected === '200' ? 1 : 0)
  })
})

test('of several addresses only those that are allowed are dialled', async () => {
  const { outcome, refused } = await sendTo('named', ['169.254.169.254', '127.0.0.1'])
  expect([outcome, refused]).toEqual(['200', []])
})

test('a name is looked up once, so a second answer changes nothing', async () => {
  const { outcome, lookups } = await sendTo('public', ['10.0.0.1'], ['127.0.0.1'])
  expect([outcome, lookups]).toEqual(['destination-IP-prohibited', 1])
})
