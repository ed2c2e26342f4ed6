/** Where the requests go. */
import { addressKind } from 'ftl-host'
import { type Fields, listOf, type References, textOf } from './references.ts'

/**
 * The first server that has an absolute address, and that a document may name.
 *
 * @param base address of the document, which relative servers are resolved against. @default they count as none
 */
export function serverOf(references: References, node: Fields, base?: string): string | undefined {
  return addressesOf(references, node, base).find((url) => mayBeNamed(url, base))
}

/** One that has an absolute address, and that a document may not name. */
export function refusedServer(
  references: References,
  node: Fields,
  base?: string,
): string | undefined {
  return addressesOf(references, node, base).find((url) => !mayBeNamed(url, base))
}

function addressesOf(references: References, node: Fields, base: string | undefined): string[] {
  return listOf(references, node['servers']).flatMap((server) => {
    const url = textOf(server['url'])
    return (url === undefined ? undefined : absolute(filled(references, url, server), base)) ?? []
  })
}

/** With the defaults of its variables: `https://{region}.example.com`. */
function filled(references: References, url: string, server: Fields): string {
  const variables = new Map(Object.entries(references.fields(server['variables'])))
  return url.replace(/\{([^{}]+)\}/g, (whole, name: string) => {
    const value = references.fields(variables.get(name))['default']
    return typeof value === 'string' || typeof value === 'number' ? String(value) : whole
  })
}

/**
 * @returns `undefined` for anything but `http:` and `https:`, for an address with a place left to fill, and for `*` in the
 * host, which would be a wildcard in `allowed_outbound_hosts`.
 */
export function absolute(url: string, base?: string): string | undefined {
  if (/[{}]/.test(url) || !URL.canParse(url, base)) return undefined
  const parsed = new URL(url, base)
  if (!/^https?:$/.test(parsed.protocol) || parsed.username !== '' || parsed.password !== '') {
    return undefined
  }
  if (parsed.hostname.includes('*')) return undefined
  return `${parsed.origin}${parsed.pathname}`.replace(/\/+$/, '')
}

/**
 * The author of a document is a stranger, and the server becomes an allowed host: it must not be another component of the
 * application or a metadata service. A document from the internet must not name this machine or its network either.
 */
function mayBeNamed(url: string, base: string | undefined): boolean {
  const kind = kindOf(url)
  return (
    kind === 'public' || (kind === 'inside' && (base === undefined || kindOf(base) !== 'public'))
  )
}

function kindOf(url: string): 'public' | 'inside' | 'special' {
  const host = new URL(url).hostname.replace(/\.$/, '')
  if (host === 'self' || /(^|\.)spin\.internal$/.test(host)) return 'special'
  if (/(^|\.)localhost$/.test(host)) return 'inside'
  const isAddress = /^\[.*\]$|^\d+(\.\d+){3}$/.test(host)
  return isAddress ? addressKind(host.replace(/^\[|\]$/g, '')) : 'public'
}
