/** Which client a request is counted under. */
import { BlockList, isIP } from 'node:net'

/** Proxies on this machine need not be named. */
const LOOPBACK = ['127.0.0.0/8', '::1']

/** Stands for clients whose proxy named no address that can be read. */
const UNREADABLE = 'unreadable'

/** Says under which address a client is counted. */
export class ClientAddresses {
  readonly #trusted = new BlockList()

  /**
   * @param trustedProxies addresses and CIDR blocks of proxies whose `X-Forwarded-For` is believed.
   * @throws {Error} that names the entry which is neither.
   */
  constructor(trustedProxies: readonly string[]) {
    for (const entry of [...LOOPBACK, ...trustedProxies]) this.#trust(entry)
  }

  /** Whether a peer is a proxy of the operator's, or a program on this machine. */
  isTrusted(peer: string): boolean {
    const address = plainAddress(peer)
    const family = isIP(address)
    return family !== 0 && this.#trusted.check(address, family === 6 ? 'ipv6' : 'ipv4')
  }

  /**
   * The client's address; of IPv6 the /64, because a client has all of it.
   *
   * @param forwardedFor of a trusted peer. Each proxy appends the address it sees, and a client can write anything
   * before that: so the last entry that is not a proxy of the operator's counts.
   * @returns `undefined` for a trusted peer without the header: it is not counted.
   */
  keyOf(peer: string, forwardedFor: string | undefined): string | undefined {
    if (!this.isTrusted(peer)) return networkOf(plainAddress(peer))
    if (forwardedFor === undefined) return undefined
    for (let end = forwardedFor.length; end >= 0;) {
      const comma = forwardedFor.lastIndexOf(',', end - 1)
      const address = addressIn(forwardedFor.slice(end === 0 ? 0 : comma + 1, end))
      if (address === undefined) return UNREADABLE
      if (!this.isTrusted(address)) return networkOf(address)
      if (comma < 0) break
      end = comma
    }
    return undefined
  }

  #trust(entry: string): void {
    const [address = '', prefix, ...rest] = entry.split('/')
    const family = isIP(address)
    const most = family === 6 ? 128 : 32
    const bits = prefix === undefined ? most : Number(prefix)
    if (family === 0 || rest.length > 0 || !/^\d+$/.test(prefix ?? '0') || bits > most) {
      throw new Error(
        `"${entry}" is not an address of a proxy; write 10.0.0.7, 10.0.0.0/8 or fd00::/8`,
      )
    }
    this.#trusted.addSubnet(address, bits, family === 6 ? 'ipv6' : 'ipv4')
  }
}

/** Sockets that listen on both families show IPv4 as `::ffff:1.2.3.4`. */
const plainAddress = (peer: string): string => peer.replace(/^::ffff:(?=\d+\.)/i, '')

/** Reads `1.2.3.4`, `1.2.3.4:567`, `::1` and `[::1]:567`. */
function addressIn(text: string): string | undefined {
  const trimmed = text.trim()
  const [, bracketed] = /^\[([^\]]+)\](?::\d+)?$/.exec(trimmed) ?? []
  const [, v4] = /^([\d.]+)(?::\d+)?$/.exec(trimmed) ?? []
  const address = plainAddress(bracketed ?? v4 ?? trimmed)
  return isIP(address) === 0 ? undefined : address
}

function networkOf(address: string): string {
  if (!address.includes(':')) return address
  const [left = '', right] = address.replace(/%.*$/, '').toLowerCase().split('::')
  const head = left === '' ? [] : left.split(':')
  const tail = right === undefined || right === '' ? [] : right.split(':')
  const gap = Array.from({ length: Math.max(0, 8 - head.length - tail.length) }, () => '0')
  const groups = right === undefined ? head : [...head, ...gap, ...tail]
  const network = groups.slice(0, 4).map((group) => group.replace(/^0+(?=.)/, ''))
  return `${network.join(':')}::/64`
}
