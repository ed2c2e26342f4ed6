/**
 * Which addresses may be requested while signing in.
 *
 * A server names addresses that this machine then requests. A hostile one could name services that only this machine
 * reaches (server-side request forgery), or have tokens sent without encryption. So an address must be encrypted, or on
 * this machine as the server itself, and must not be further inside the network than the server.
 */
import { BlockList, isIP } from 'node:net'
import { AuthenticationError } from '../errors.ts'
import { remoteText } from './remote-text.ts'
import { parseUrl } from './parse-url.ts'

const LOOPBACK = new BlockList()
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4')
LOOPBACK.addAddress('::1', 'ipv6')
LOOPBACK.addAddress('0.0.0.0', 'ipv4')
LOOPBACK.addAddress('::', 'ipv6')

const PRIVATE = new BlockList()
for (const [net, prefix] of [
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
] as const) {
  PRIVATE.addSubnet(net, prefix, 'ipv4')
}
PRIVATE.addSubnet('fc00::', 7, 'ipv6')
PRIVATE.addSubnet('fe80::', 10, 'ipv6')

/** How far inside the network an address is. */
const Depth = { public: 0, private: 1, loopback: 2 } as const

/** Names are not resolved: an address of this machine cannot have a certificate for a public name by accident. */
function depthOf({ hostname }: URL): number {
  const host = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
  if (host === 'localhost' || host.endsWith('.localhost')) return Depth.loopback
  const version = isIP(host)
  if (version === 0) {
    return /\.(?:internal|local|lan|home\.arpa)$/.test(host) || !host.includes('.')
      ? Depth.private
      : Depth.public
  }
  const family = version === 4 ? 'ipv4' : 'ipv6'
  if (LOOPBACK.check(host, family)) return Depth.loopback
  return PRIVATE.check(host, family) ? Depth.private : Depth.public
}

/** Whether the address is on this machine. */
const isLoopback = (url: URL): boolean => depthOf(url) === Depth.loopback

/**
 * The address of the server that the user gave, in the form under which tokens are stored.
 *
 * @throws {AuthenticationError}
 */
export function serverAddress(address: string | URL): URL {
  const url = parseUrl(address)
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new AuthenticationError('the address of the server must begin with https:// or http://')
  }
  if (url.username !== '' || url.password !== '') {
    throw new AuthenticationError('the address of the server must not contain a user or password')
  }
  if (url.protocol === 'http:' && !isLoopback(url)) {
    throw new AuthenticationError(
      `${url.origin} is not encrypted: a token would be readable on the way. Use https://`,
    )
  }
  url.hash = ''
  // Which tools a gateway lists: the server is the same.
  url.searchParams.delete('tools')
  if (url.pathname.length > 1) url.pathname = url.pathname.replace(/\/+$/, '')
  return url
}

/** Whether tokens may be sent to this address. */
export function mayHaveToken(address: string): boolean {
  try {
    return Boolean(serverAddress(address))
  } catch {
    return false
  }
}

/**
 * Checks an address that a server named.
 *
 * @param what names the address in the message, for example `the token endpoint`.
 * @throws {AuthenticationError}
 */
export function allowedAddress(address: string | URL, server: URL, what: string): URL {
  const url = parseUrl(address)
  const shown = remoteText(String(address))
  if (!url || url.username !== '' || url.password !== '') {
    throw new AuthenticationError(`${what} is not a valid URL: ${shown}`)
  }
  if (
    url.protocol !== 'https:' &&
    !(url.protocol === 'http:' && isLoopback(url) && isLoopback(server))
  ) {
    throw new AuthenticationError(`${what} must begin with https://: ${shown}`)
  }
  if (depthOf(url) > depthOf(server)) {
    throw new AuthenticationError(
      `${what} is an address inside your machine or network, which ${server.origin} must not name: ${shown}`,
    )
  }
  return url
}
