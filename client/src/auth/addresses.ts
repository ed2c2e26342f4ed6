/**
 * Which addresses may be requested while signing in.
 *
 * A server names addresses that this machine then requests. A hostile one could name services that only this machine
 * reaches (server-side request forgery), or have tokens sent without encryption. So an address must be encrypted, or on
 * this machine as the server itself, and must not be further inside the network than the server.
 */
import { AuthenticationError } from '../errors.ts'
import { Depth, depthOf } from './address-depth.ts'
import { remoteText } from './remote-text.ts'
import { parseUrl } from './parse-url.ts'

/** Whether the address is on this machine. */
const isLoopback = (url: URL): boolean => depthOf(url.hostname) === Depth.loopback

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
  if (depthOf(url.hostname) > depthOf(server.hostname)) {
    throw new AuthenticationError(
      `${what} is an address inside your machine or network, which ${server.origin} must not name: ${shown}`,
    )
  }
  return url
}
