import { BlockList } from 'node:net'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { Depth, depthOf } from './address-depth.ts'

const LOOPBACK = new BlockList()
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4')
LOOPBACK.addAddress('0.0.0.0', 'ipv4')
LOOPBACK.addAddress('::1', 'ipv6')
LOOPBACK.addAddress('::', 'ipv6')
const PRIVATE = new BlockList()
PRIVATE.addSubnet('10.0.0.0', 8, 'ipv4')
PRIVATE.addSubnet('100.64.0.0', 10, 'ipv4')
PRIVATE.addSubnet('169.254.0.0', 16, 'ipv4')
PRIVATE.addSubnet('172.16.0.0', 12, 'ipv4')
PRIVATE.addSubnet('192.168.0.0', 16, 'ipv4')
PRIVATE.addSubnet('fc00::', 7, 'ipv6')
PRIVATE.addSubnet('fe80::', 10, 'ipv6')

const asUrl = (host: string) => new URL(`http://${host}`).hostname

function byNode(host: string): Depth {
  const family = host.startsWith('[') ? 'ipv6' : 'ipv4'
  const address = host.replace(/^\[|\]$/g, '')
  if (LOOPBACK.check(address, family)) return Depth.loopback
  return PRIVATE.check(address, family) ? Depth.private : Depth.public
}

const near = fc.constantFrom('127', '10', '100', '169', '172', '192', '0', '8')
const quad = fc
  .tuple(near, fc.integer({ min: 0, max: 255 }), fc.nat(255), fc.nat(255))
  .map((parts) => parts.join('.'))
const groups = fc
  .array(fc.oneof(fc.constantFrom(0, 1, 0xffff, 0xfc00, 0xfe80, 0xfebf), fc.nat(0xffff)), {
    minLength: 8,
    maxLength: 8,
  })
  .map((all) => `[${all.map((group) => group.toString(16)).join(':')}]`)

it('places every address of IPv4 and IPv6 as the block lists of Node do', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        quad,
        groups,
        quad.map((each) => `[::ffff:${each}]`),
      ),
      (text) => {
        const host = asUrl(text)
        expect(depthOf(host)).toBe(byNode(host))
      },
    ),
    { numRuns: 2000 },
  )
})

it.each([
  ['localhost', Depth.loopback],
  ['a.localhost.', Depth.loopback],
  ['db.internal', Depth.private],
  ['intranet', Depth.private],
  ['mcp.example', Depth.public],
  ['0x7f.1', Depth.loopback],
  ['[::ffff:10.0.0.1]', Depth.private],
])('places %s', (text, depth) => {
  expect(depthOf(asUrl(text))).toBe(depth)
})
