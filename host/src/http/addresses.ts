/**
 * What kind of network an IP address belongs to.
 * @see https://www.iana.org/assignments/iana-ipv4-special-registry
 * @see https://www.iana.org/assignments/iana-ipv6-special-registry
 */
import { BlockList, isIP } from 'node:net'
import { networkInterfaces } from 'node:os'

/**
 * - `public`: anywhere on the internet.
 * - `inside`: this machine (loopback) or a private network.
 * - `special`: metadata services of clouds, which hand out credentials to whatever asks, and addresses that belong to
 *   no single host: link-local, unspecified, multicast, reserved.
 */
export type AddressKind = 'public' | 'inside' | 'special'

function blocks(family: 'ipv4' | 'ipv6', subnets: readonly string[]): BlockList {
  const list = new BlockList()
  for (const subnet of subnets) {
    const [address = '', prefix] = subnet.split('/')
    list.addSubnet(address, Number(prefix), family)
  }
  return list
}

const V4_INSIDE = blocks('ipv4', [
  ...['10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16'],
  '198.18.0.0/15',
])
const V4_SPECIAL = blocks('ipv4', [
  ...['0.0.0.0/8', '169.254.0.0/16', '192.0.0.0/24', '192.0.2.0/24', '192.88.99.0/24'],
  ...['198.51.100.0/24', '203.0.113.0/24', '224.0.0.0/3'],
  // Metadata services of Alibaba Cloud and Azure, which lie outside 169.254.0.0/16.
  ...['100.100.100.200/32', '168.63.129.16/32'],
])
const V6_INSIDE = blocks('ipv6', ['::1/128', 'fc00::/7', 'fec0::/10', '64:ff9b:1::/48'])
const V6_SPECIAL = blocks('ipv6', [
  // The metadata service of AWS.
  'fd00:ec2::254/128',
  ...['::/128', '100::/64', '2001::/23', '2001:db8::/32', '3fff::/20', '5f00::/16', 'fe80::/10'],
  'ff00::/8',
])

/** Tells how far inside a network an address is. @param address as `node:net` takes it, without brackets. */
export function kindOf(address: string): AddressKind {
  const family = address.includes('%') ? 0 : isIP(address)
  if (family === 4) return kindAmong(address, 'ipv4', V4_SPECIAL, V4_INSIDE)
  if (family !== 6) return 'special'
  const kind = kindAmong(address, 'ipv6', V6_SPECIAL, V6_INSIDE)
  if (kind !== 'public') return kind
  const embedded = embeddedAddress(address)
  return embedded === undefined ? 'public' : kindOf(embedded)
}

function kindAmong(
  address: string,
  family: 'ipv4' | 'ipv6',
  special: BlockList,
  inside: BlockList,
): AddressKind {
  if (special.check(address, family)) return 'special'
  return inside.check(address, family) ? 'inside' : 'public'
}

/** One spelling for each address; IPv4 addresses written as IPv6 (`::ffff:127.0.0.1`) become IPv4. */
export function canonicalAddress(address: string): string {
  if (isIP(address) !== 6) return address
  const groups = groupsOf(address)
  const mapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff
  return mapped ? dotted(groups, 6) : new URL(`http://[${address}]`).hostname.slice(1, -1)
}

/** The IPv4 address a packet to an IPv6 address may end at, by translation or a tunnel. */
function embeddedAddress(address: string): string | undefined {
  const groups = groupsOf(address)
  // 6to4, RFC 3056.
  if (groups[0] === 0x2002) return dotted(groups, 1)
  // NAT64, RFC 6052.
  if (groups[0] === 0x64 && groups[1] === 0xff9b) return dotted(groups, 6)
  // Mapped (::ffff:a.b.c.d), translated (::ffff:0:a.b.c.d) and compatible (::a.b.c.d).
  return groups.slice(0, 4).every((group) => group === 0) ? dotted(groups, 6) : undefined
}

/** The eight groups of an IPv6 address. */
function groupsOf(address: string): number[] {
  // The URL parser writes a dotted ending in groups.
  const text = new URL(`http://[${address}]`).hostname.slice(1, -1)
  const [before = '', after] = text.split('::')
  const parse = (part: string) => (part === '' ? [] : part.split(':').map((g) => parseInt(g, 16)))
  const head = parse(before)
  const tail = parse(after ?? '')
  return [...head, ...Array.from({ length: 8 - head.length - tail.length }, () => 0), ...tail]
}

function dotted(groups: readonly number[], at: number): string {
  const [high = 0, low = 0] = groups.slice(at, at + 2)
  return [high >> 8, high & 255, low >> 8, low & 255].join('.')
}

/**
 * Whether a connection would end at the application's own listener.
 *
 * A component reaches it by `http://self` only, where the host knows that a component sends and does not let it pose as
 * a proxy.
 */
export function isOwnListener(
  address: string,
  port: number,
  self: { host: string; port: number },
): boolean {
  if (port !== self.port) return false
  const canonical = canonicalAddress(address)
  if (/^(127\.|0\.0\.0\.0$|::1?$)/.test(canonical)) return true
  return Object.values(networkInterfaces()).some((addresses = []) =>
    addresses.some((own) => own.address === canonical),
  )
}
