/** The address under which attempts to sign in are counted. */
import { urlIn } from 'ftl-http'

/** Longer values of a header are not read from their beginning. */
const LONGEST = 1_000

/** The header is believed only from a proxy on this machine: any other sender could write what it likes. */
export function senderOf(headers: Headers): string {
  // The host adds a port, also to an IPv6 address without brackets.
  const peer = networkOf(lastOf(headers, 'spin-client-addr').replace(/:\d+$/, ''))
  const served = lastOf(headers, 'x-forwarded-for').replace(/^([\d.]+|\[[^\]]*\]):\d+$/, '$1')
  return /^(127\..*|::1)$/.test(peer) && served !== '' ? networkOf(served) : peer
}

/** The host and proxies add a value behind those that the sender wrote. */
function lastOf(headers: Headers, name: string): string {
  return headers.get(name)?.slice(-LONGEST).split(',').at(-1)?.trim() ?? ''
}

/** The first half of an IPv6 address: a sender with one address of a network usually has all of them. */
function networkOf(address: string): string {
  const url = urlIn(`http://[${address.replace(/^\[|\]$/g, '')}]/`)
  if (!url) return address
  const short = url.hostname.slice(1, -1)
  const [, high, low] = /^::ffff:([\da-f]+):([\da-f]+)$/.exec(short) ?? []
  if (high !== undefined && low !== undefined) {
    const bytes = [high, low].flatMap((part) => {
      const number = Number.parseInt(part, 16)
      return [number >> 8, number & 255]
    })
    return bytes.join('.')
  }
  return short === '::1' ? short : firstHalf(short)
}

function firstHalf(short: string): string {
  const [before = [], after] = short.split('::').map((part) => part.split(':').filter(Boolean))
  if (!after) return before.slice(0, 4).join(':')
  const zeros = Array<string>(Math.max(8 - before.length - after.length, 0)).fill('0')
  return [...before, ...zeros, ...after].slice(0, 4).join(':')
}
