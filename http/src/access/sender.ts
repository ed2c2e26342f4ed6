/**
 * Who sent a request: another component of the application, a program on this machine, or any other client.
 *
 * The only place that decides it, by what the host says of the socket. A client chooses every other part of its request,
 * `Host` included. Spin and our host add `spin-client-addr` behind what the sender wrote, so its last value is theirs.
 *
 * @see https://spinframework.dev/v4/http-trigger#additional-request-information
 */
import { addressOf } from '../address.ts'

const SENDER_HEADER = 'spin-client-addr'

/** What hosts say of a request of a component. No socket has this address. */
export const FROM_COMPONENT = { [SENDER_HEADER]: '0.0.0.0:0' } as const

/** In every spelling that some program reads as the name of a component. */
const COMPONENT_NAME = /(^|\.)spin\.internal\.*$/i

const LOOPBACK = /^(([\w-]+\.)*localhost|127(\.\d+){3}|\[::1\])$/

/** The whole value: a request with two came from elsewhere, or through a component. */
const LOOPBACK_PEER = /^(127(\.\d{1,3}){3}|\[?::1\]?|\[?::ffff:127(\.\d{1,3}){3}\]?):\d{1,5}$/i

/** Headers that proxies and tunnels add. */
const OF_PROXY =
  /^(forwarded|via|x-forwarded(-.*)?|x-real-ip|x-client-ip|x-cluster-client-ip|x-original-.*|x-envoy-.*|x-amzn-.*|cf-.*|cdn-loop|true-client-ip|fly-client-ip|fastly-client-ip|tailscale-.*|ngrok-.*)$/

function senderOf({ headers }: Request): string {
  return headers.get(SENDER_HEADER) ?? ''
}

/** Whether the name is of a component. A request that has it and is not from a component is not served. */
export function namesComponent({ hostname }: Pick<URL, 'hostname'>): boolean {
  // Most names have no such part, and to search for a text takes a tenth of the time of the pattern.
  return hostname.toLowerCase().includes('spin.internal') && COMPONENT_NAME.test(hostname)
}

/** The same for a request whose address names a component. */
export function hasComponentSender(request: Request): boolean {
  return /(^|, ?)0\.0\.0\.0:0$/.test(senderOf(request))
}

/** Whether it came through a route of a host, and from no component. A component that is a server of its own has no routes. */
export function isFromOutside(request: Request): boolean {
  return request.headers.has('spin-matched-route') && !hasComponentSender(request)
}

/** Whether a component of this application sent it. */
export function isFromComponent(request: Request): boolean {
  return namesComponent(addressOf(request)) && hasComponentSender(request)
}

/** Whether the address names this machine. This does not mean that the sender is on this machine. */
export function isLoopback({ hostname }: Pick<URL, 'hostname'>): boolean {
  return LOOPBACK.test(hostname)
}

/** @returns the header by which a request is not one of a program on this machine; `undefined` if it is. */
export function remoteSign(request: Request): string | undefined {
  if (!isLoopback(addressOf(request))) return 'host'
  if (!LOOPBACK_PEER.test(senderOf(request))) return SENDER_HEADER
  return [...request.headers.keys()].find((name) => OF_PROXY.test(name))
}

/** The address that the sender used; `undefined` if that is a name of this machine, and the sender is not there. */
export function ownAddress(request: Request): URL | undefined {
  const url = addressOf(request)
  return isLoopback(url) && remoteSign(request) !== undefined ? undefined : url
}
