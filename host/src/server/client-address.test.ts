import { expect, test } from 'vitest'
import { ClientAddresses } from './client-address.ts'

const PROXIES = ['10.0.0.0/8', 'fd00::/8', '192.0.2.7']

test.each([
  ['203.0.113.9', undefined, '203.0.113.9'],
  ['::ffff:203.0.113.9', undefined, '203.0.113.9'],
  // A client's own header is not believed.
  ['203.0.113.9', '198.51.100.1', '203.0.113.9'],
  ['2001:db8:1:2:3:4:5:6', undefined, '2001:db8:1:2::/64'],
  ['2001:0db8:0001:0002::6', undefined, '2001:db8:1:2::/64'],
  ['2001:db8::6', undefined, '2001:db8:0:0::/64'],
  ['127.0.0.1', undefined, undefined],
  ['::1', undefined, undefined],
  ['127.0.0.1', '203.0.113.9', '203.0.113.9'],
  ['10.1.2.3', '198.51.100.1, 203.0.113.9', '203.0.113.9'],
  ['10.1.2.3', '198.51.100.1, 203.0.113.9, 192.0.2.7', '203.0.113.9'],
  ['10.1.2.3', '203.0.113.9:4711', '203.0.113.9'],
  ['fd00::1', '[2001:db8::1]:80', '2001:db8:0:0::/64'],
  ['10.1.2.3', '10.4.4.4,10.5.5.5', undefined],
  ['10.1.2.3', 'unknown', 'unreadable'],
  ['10.1.2.3', '203.0.113.9, junk', 'unreadable'],
  ['10.1.2.3', '', 'unreadable'],
  ['10.1.2.3', ',', 'unreadable'],
])('%s that forwards %s is counted as %s', (peer, forwardedFor, key) => {
  expect(new ClientAddresses(PROXIES).keyOf(peer, forwardedFor)).toBe(key)
})

test.each(['', 'proxy.example', '10.0.0.0/33', '10.0.0.0/8/8', '10.0.0.0/', '::/129', '10.0.0/8'])(
  '"%s" is refused as a proxy',
  (entry) => {
    expect(() => new ClientAddresses([entry])).toThrow(`"${entry}" is not an address of a proxy`)
  },
)
