/**
 * `allowed_outbound_hosts`: where a component may send requests.
 * @see https://spinframework.dev/v4/http-outbound#configuration
 */
import { BlockList, isIP } from 'node:net'
import { type AddressKind, canonicalAddress } from '../http/addresses.ts'

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
  /** In lower case, without brackets or a dot at the end; an address in its canonical spelling. */
  host: string
  port: number
}

/**
 * Which addresses a request may reach, from least to most.
 *
 * - `public`: a wildcard allowed it. It means the internet, and never this machine or the networks it is part of: a
 *   component that may fetch any page must not reach the services that trust their neighbours.
 * - `named`: the entry has the name, so the operator decides what the name resolves to, a private address included. A
 *   metadata service is excepted, because the owner of the name could make it resolve to that.
 * - `address`: the entry has the address or its network.
 */
export type Reach = 'public' | 'named' | 'address'

const REACHES: readonly Reach[] = ['public', 'named', 'address']

const KINDS: Readonly<Record<Reach, readonly AddressKind[]>> = {
  public: ['public'],
  named: ['public', 'inside'],
  address: ['public', 'inside', 'special'],
}

export const mayEndAt = (reach: Reach, kind: AddressKind): boolean => KINDS[reach].includes(kind)

/** Networks with shorter prefixes are so large that they are treated as wildcards. */
const SHORTEST_PREFIX = { 4: 8, 6: 7 }

/** One entry, with its expressions resolved. */
export interface AllowedHost {
  /** @returns `undefined` when it does not allow the destination. */
  reach(destination: Destination): Reach | undefined
}

/** Whether it is a component of the application. */
export const isInternal = (host: string) =>
  host === 'spin.internal' || host.endsWith('.spin.internal')

export const isSelf = (host: string) => host === 'self' || host === 'self.alt'

const ENTRY = /^([a-z][a-z0-9+\-.]*|\*):\/\/(\[[^\]]*\]|[^:/]*(?:\/\d+)?)(?::([^/]*))?(\/.*)?$/i
const DOMAIN = /^[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)*\.?$/

/** @returns what is wrong with an entry, or `undefined`. */
export function checkAllowedHost(text: string): string | undefined {
  const entry = parseAllowedHost(text)
  return typeof entry === 'string' ? entry : undefined
}

/** @returns what is wrong with the entry when it is a string. */
function parseAllowedHost(text: string): AllowedHost | string {
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
    reach: (to) =>
      (wanted === '*' || wanted === to.scheme) && ports(to.port) ? host(to.host) : undefined,
  }
}

function parseHost(text: string): ((host: string) => Reach | undefined) | string {
  if (text === '') return 'has no host'
  if (text === '*') {
    return (host) => (isInternal(host) || isSelf(host) ? undefined : 'public')
  }
  // Relative to the application itself, under either name.
  if (isSelf(text)) return (host) => (isSelf(host) ? 'named' : undefined)
  if (text.startsWith('*.')) {
    const suffix = text.slice(1)
    if (suffix.includes('*')) return 'has a wildcard that is not a whole subdomain'
    const chains = isInternal(text)
    return (host) => {
      if (!host.endsWith(suffix) || host.length === suffix.length) return undefined
      if (chains) return 'named'
      return isInternal(host) ? undefined : 'public'
    }
  }
  if (text.includes('*')) return 'has a wildcard; wildcards are allowed only as subdomains'
  const [address = '', prefix] = text.replace(/[[\]]/g, '').split('/')
  const family = isIP(address)
  if (prefix !== undefined) return parseNetwork(address, Number(prefix))
  if (family === 0 && !DOMAIN.test(text)) return 'has a malformed host'
  const name = family === 0 ? withoutFinalDot(address) : canonicalAddress(address)
  const reach = family === 0 ? 'named' : 'address'
  return (host) => (host === name ? reach : undefined)
}

function parseNetwork(
  address: string,
  prefix: number,
): ((host: string) => Reach | undefined) | string {
  const family = isIP(address)
  if (family !== 4 && family !== 6) return 'must not include a path'
  if (prefix > (family === 4 ? 32 : 128)) return 'must not include a path'
  const block = new BlockList()
  block.addSubnet(address, prefix, family === 4 ? 'ipv4' : 'ipv6')
  const reach = prefix < SHORTEST_PREFIX[family] ? 'public' : 'address'
  return (host) =>
    isIP(host) === family && block.check(host, family === 4 ? 'ipv4' : 'ipv6') ? reach : undefined
}

/** The name as look-ups treat it. */
export const withoutFinalDot = (host: string): string => host.replace(/\.$/, '')

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

/** An entry that resolved to nothing: an optional endpoint that is not configured. */
const isUnset = (text: string) => text === '' || text === 'http://' || text === 'https://'

/** Entries that are kept parsed; their texts change only when a variable's provider gives another value. */
const KEPT_ENTRIES = 64

/** `allowed_outbound_hosts` of one component. */
export class AllowedHosts {
  readonly #resolved: () => readonly string[]
  readonly #parsed = new Map<string, AllowedHost | undefined>()

  /** @param resolved the entries, with their expressions resolved. */
  constructor(resolved: () => readonly string[]) {
    this.#resolved = resolved
  }

  /**
   * The furthest that one of the entries allows.
   *
   * @returns `undefined` when none allows the destination. An entry that is malformed once its expressions are resolved
   * allows nothing.
   */
  reach(destination: Destination): Reach | undefined {
    let furthest = -1
    for (const text of this.#resolved()) {
      const reach = this.#entry(text)?.reach(destination)
      if (reach !== undefined) furthest = Math.max(furthest, REACHES.indexOf(reach))
    }
    return REACHES[furthest]
  }

  #entry(text: string): AllowedHost | undefined {
    if (this.#parsed.has(text)) return this.#parsed.get(text)
    if (this.#parsed.size >= KEPT_ENTRIES) this.#parsed.clear()
    const parsed = isUnset(text) ? undefined : parseAllowedHost(text)
    const entry = typeof parsed === 'string' ? undefined : parsed
    this.#parsed.set(text, entry)
    return entry
  }
}
