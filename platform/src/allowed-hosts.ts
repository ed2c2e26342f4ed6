/**
 * `allowed_outbound_hosts` where the platform does not enforce it.
 *
 * @see https://spinframework.dev/v4/http-outbound#configuration
 */

const PORTS: Readonly<Record<string, number>> = { http: 80, https: 443 }

const ENTRY = /^([a-z][a-z0-9+.-]*|\*):\/\/(\[[^\]]*\]|[^:/]*)(?::(\*|\d+(?:\.\.\d+)?))?\/?$/i

/**
 * @param entries with the values of their variables; an entry that cannot be read allows nothing.
 * @returns whether a request may be sent to the address.
 */
export function parseAllowed(entries: readonly string[]): (url: URL) => boolean {
  const checks = entries.flatMap((entry) => parseEntry(entry) ?? [])
  return (url) => checks.some((allows) => allows(url))
}

function parseEntry(entry: string): ((url: URL) => boolean) | undefined {
  const [, scheme = '', hostText = '', port] = ENTRY.exec(entry.trim()) ?? []
  const host = hostText.toLowerCase().replace(/\.$/, '')
  if (scheme === '' || host === '' || (port === undefined && !(scheme.toLowerCase() in PORTS))) {
    return undefined
  }
  const wanted = scheme.toLowerCase()
  const suffix = host.startsWith('*.') ? host.slice(1) : undefined
  return ({ protocol, hostname, port: given }) => {
    const used = protocol.slice(0, -1)
    const name = hostname.toLowerCase().replace(/\.$/, '')
    if (name.endsWith('.spin.internal')) return false
    const number = Number(given) || (PORTS[used] ?? 0)
    return (
      (wanted === '*' || wanted === used) &&
      (host === '*' || host === name || (suffix !== undefined && name.endsWith(suffix))) &&
      portAllows(port, number, wanted)
    )
  }
}

function portAllows(text: string | undefined, port: number, scheme: string): boolean {
  if (text === '*') return true
  if (text === undefined) return port === PORTS[scheme]
  const [first = 0, last] = text.split('..').map(Number)
  return last === undefined ? port === first : port >= first && port < last
}
