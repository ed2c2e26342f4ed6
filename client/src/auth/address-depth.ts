/** How far inside the network an address is, by its text alone. Names are not resolved. */

export const Depth = { public: 0, private: 1, loopback: 2 } as const
export type Depth = (typeof Depth)[keyof typeof Depth]

/** A network: its first address as 16-bit groups, and the length of its prefix in bits. */
type Network = readonly [first: string, prefix: number]

const LOOPBACK: readonly Network[] = [
  ['127.0.0.0', 8],
  ['0.0.0.0', 32],
  ['[::1]', 128],
  ['[::]', 128],
]
const PRIVATE: readonly Network[] = [
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['[fc00::]', 7],
  ['[fe80::]', 10],
]

/** Of a hostname as a URL has it: its parser writes every form of an address in the same way. */
export function depthOf(hostname: string): Depth {
  const host = hostname.replace(/\.$/, '')
  if (host === 'localhost' || host.endsWith('.localhost')) return Depth.loopback
  const address = groupsOf(host)
  if (!address) {
    return /\.(?:internal|local|lan|home\.arpa)$/.test(host) || !host.includes('.')
      ? Depth.private
      : Depth.public
  }
  if (LOOPBACK.some((network) => contains(network, address))) return Depth.loopback
  return PRIVATE.some((network) => contains(network, address)) ? Depth.private : Depth.public
}

function contains([first, prefix]: Network, address: readonly number[]): boolean {
  const start = groupsOf(first) ?? []
  if (start.length !== address.length) return false
  return address.every((group, index) => {
    const bits = Math.min(Math.max(prefix - index * 16, 0), 16)
    return group >> (16 - bits) === (start[index] ?? 0) >> (16 - bits)
  })
}

/** Two groups for IPv4, eight for IPv6; `undefined` for a name. */
function groupsOf(host: string): number[] | undefined {
  if (/^\d{1,3}(?:\.\d{1,3}){3}$/.test(host)) return quadGroups(host)
  if (!host.startsWith('[') || !host.endsWith(']')) return undefined
  const [head = '', tail] = host.slice(1, -1).split('::')
  const [before, after] = [hexGroups(head), hexGroups(tail ?? '')]
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => 0)
  const all = [...before, ...zeros, ...after]
  // An IPv4 address that is written as one of IPv6 leads to the same machine.
  const isMapped = all.slice(0, 5).every((group) => group === 0) && all[5] === 0xffff
  return isMapped ? all.slice(6) : all
}

function quadGroups(host: string): number[] {
  const [a = 0, b = 0, c = 0, d = 0] = host.split('.').map(Number)
  return [a * 256 + b, c * 256 + d]
}

function hexGroups(text: string): number[] {
  return text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16))
}
