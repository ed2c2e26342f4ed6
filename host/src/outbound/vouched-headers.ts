/**
 * What a request of one component to another may say about the user and the client.
 *
 * A recipient inside the application cannot check such headers. So the host passes on only those that came from outside with
 * the request, and the user that a gateway named. It drops a user that a component invents.
 */
import type { CallTree } from '../instance/call-tree.ts'
import { type HeaderEntry, isHopByHop } from '../http/header-rules.ts'
import { chainedHeaders, isChainedHeader } from '../routes/spin-headers.ts'
import { readLength } from './request-head.ts'

/** Who calls, by the component contract; a gateway finds it out and tells the components it calls. */
const OF_GATEWAY = new Set(['ftl-principal', 'ftl-caller'])

/** The address that the client used, from which a gateway derives what a token must be for. */
const CLIENT_ORIGIN = 'ftl-client-origin'

export interface Sender {
  /** Whether the component is a gateway, which may name the user. */
  gateway: boolean
  /** The request from outside it works for. */
  tree: CallTree | undefined
}

/**
 * Headers a component gets with a request of another.
 *
 * Spin adds its own `spin-*` headers to those that a component forwards, so the recipient of both reads
 * `spin-path-info: /fetch, /deep/path`. The host does the same, with the forwarded values first. So a component cannot
 * replace a value of the host, and cannot set a name that the host does not set.
 *
 * @param path with its query.
 * @throws {HttpError} when the length they announce is malformed.
 */
export function internalHeaders(
  headers: readonly HeaderEntry[],
  path: string,
  sender: Sender,
): HeaderEntry[] {
  const entries: HeaderEntry[] = []
  let length: number | undefined
  for (const entry of headers) {
    const [name, value] = entry
    if (name === 'content-length') length = readLength(value, length)
    else if (isHopByHop(name)) continue
    else if (name.startsWith('spin-') && !isChainedHeader(name)) continue
    if (!isVouched(name) || vouchesFor(sender, name, value, entries)) entries.push(entry)
  }
  entries.push(...chainedHeaders(path))
  return entries
}

/** Headers of a request to the application's own listener: what only a proxy may say does not come from a component. */
export function ownHeaders(headers: readonly HeaderEntry[], sender: Sender): HeaderEntry[] {
  const entries: HeaderEntry[] = []
  for (const entry of headers) {
    const [name, value] = entry
    if (!isVouched(name) || vouchesFor(sender, name, value, entries)) entries.push(entry)
  }
  return entries
}

/** `forwarded` and `x-forwarded-*` are the proxy's in front of the application. */
function isVouched(name: string): boolean {
  return (
    name.startsWith('x-forwarded-') ||
    OF_GATEWAY.has(name) ||
    name === 'forwarded' ||
    name === CLIENT_ORIGIN
  )
}

function vouchesFor(
  { gateway, tree }: Sender,
  name: string,
  value: string,
  before: readonly HeaderEntry[],
): boolean {
  if (tree === undefined) return false
  // Recipients join values of one name, so a second would make another value of the first.
  if (before.some(([other]) => other === name)) return false
  if (name === CLIENT_ORIGIN) return isOriginOfClient(tree, value)
  if (!OF_GATEWAY.has(name)) return tree.outside(name) === value
  if (gateway) tree.callers.set(name, value)
  return tree.callers.get(name) === value
}

/** A client elsewhere can write a name of this machine, too: that is believed only if its socket is of this machine. */
function isOriginOfClient(tree: CallTree, value: string): boolean {
  const url = URL.parse(tree.outside('spin-full-url') ?? '')
  if (url?.origin !== value) return false
  const peer = (tree.outside('spin-client-addr') ?? '').replace(/:\d+$/, '')
  return !LOOPBACK_NAME.test(url.hostname) || LOOPBACK_PEER.test(peer)
}

const LOOPBACK_NAME = /^(([\w-]+\.)*localhost|127(\.\d+){3}|\[::1\])$/
const LOOPBACK_PEER = /^(::1|(::ffff:)?127(\.\d+){3})$/i
