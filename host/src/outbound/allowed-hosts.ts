/**
 * `allowed_outbound_hosts`: where a component may send requests.
 *
 * @module
 * @see https://spinframework.dev/v4/http-outbound#configuration
 */
import { BlockList, isIP } from 'node:net'

/** Ports of the schemes that may leave the port out. */
const DEFAULT_PORTS: Readonly<Record<string, number>> = {
  http: 80,
  https: 443,
  redis: 6379,
  rediss: 6379,
  postgres: 5432,
  postgresql: 5432,
  mysql: 3306,
  mqtt: 1883,
}

export interface Destination {
  scheme: string
  /** In lower case, without brackets. */
  host: string
  port: number
}

/** One entry, with its expressions resolved. */
export interface AllowedHost {
  allows(destination: Destination): boolean
}

const ENTRY = /^([a-z][a-z0-9+\-.]*|\*):\/\/(\[[^\]]*\]|[^:/]*(?:\/\d+)?)(?::([^/]*))?(\/.*)?$/i
const DOMAIN = /^[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)*\.?$/

/** @returns what is wrong with an entry, or `undefined`. */
export function checkAllowedHost(text: string): string | undefined {
  const entry = parseAllowedHost(text)
  return typeof entry === 'string' ? entry : undefined
}

/** @returns what is wrong with the entry when it is a string. */
export function parseAllowedHost(text: string): AllowedHost | string {
  if (!text.includes('://')) return 'does not contain a scheme, such as https://'
  const [, scheme = '', hostText = '', portText, path] = ENTRY.exec(text) ?? []
  if (scheme === '') return 'is malformed; write scheme://host or scheme://host:port'
  if (path !== undefined && path !== '/') return 'must not include a path'
  const host = parseHost(hostText.toLowerCase())
  if (typeof host === 'string') return host
  const ports = parsePorts(scheme.toLowerCase(), portText)
  if (typeof ports === 'string') return ports
  const wanted = scheme.toLowerCase()
  return {
    allows: (to) => (wanted === '*' || wanted === to.scheme) && host(to.host) && ports(to.port),
  }
}

function parseHost(text: string): ((host: string) => boolean) | string {
  if (text === '') return 'has no host'
  if (text === '*') return () => true
  // Relative to the application itself, under either name.
  if (text === 'self' || text === 'self.alt')
    return (host) => host === 'self' || host === 'self.alt'
  if (text.startsWith('*.')) {
    const suffix = text.slice(1)
    if (suffix.includes('*')) return 'has a wildcard that is not a whole subdomain'
    return (host) => host.endsWith(suffix) && host.length > suffix.length
  }
  if (text.includes('*')) return 'has a wildcard; wildcards are allowed only as subdomains'
  const [address = '', prefix] = text.replace(/[[\]]/g, '').split('/')
  const family = isIP(address)
  if (prefix !== undefined) {
    if (family === 0 || Number(prefix) > (family === 4 ? 32 : 128)) {
      return 'must not include a path'
    }
    const block = new BlockList()
    block.addSubnet(address, Number(prefix), family === 4 ? 'ipv4' : 'ipv6')
    return (host) => isIP(host) !== 0 && block.check(host, isIP(host) === 4 ? 'ipv4' : 'ipv6')
  }
  if (family === 0 && !DOMAIN.test(text)) return 'has a malformed host'
  return (host) => host === address
}

function parsePorts(
  scheme: string,
  text: string | undefined,
): ((port: number) => boolean) | string {
  if (text === '*') return () => true
  if (text === undefined) {
    const port = DEFAULT_PORTS[scheme]
    if (port === undefined) return 'needs a port, because its scheme has no default'
    return (candidate) => candidate === port
  }
  const [, first, last = first] = /^(\d{1,5})(?:\.\.(\d{1,5}))?$/.exec(text) ?? []
  if (first === undefined || Number(last) > 65_536) return `has a malformed port "${text}"`
  // The end of a range is not part of it, as in Rust.
  if (text.includes('..')) return (port) => port >= Number(first) && port < Number(last)
  return (port) => port === Number(first)
}

/** The port a request goes to when its URL names none. */
export function defaultPort(scheme: string): number {
  return DEFAULT_PORTS[scheme] ?? 0
}

/** An entry that resolved to nothing: an optional endpoint nobody configured. */
const isUnset = (text: string) => text === '' || text === 'http://' || text === 'https://'

/**
 * Whether one of the entries allows the destination.
 *
 * An entry that is malformed once its expressions are resolved allows nothing.
 */
export function isAllowed(resolved: readonly string[], destination: Destination): boolean {
  return resolved.some((text) => {
    if (isUnset(text)) return false
    const entry = parseAllowedHost(text)
    return typeof entry !== 'string' && entry.allows(destination)
  })
}
