/** Where the requests go. */
import { type Fields, listOf, type References, textOf } from './references.ts'

/**
 * The first server that has an absolute address.
 *
 * @param base address of the document, which relative servers are resolved against. @default they count as none
 */
export function serverOf(references: References, node: Fields, base?: string): string | undefined {
  for (const server of listOf(references, node['servers'])) {
    const url = textOf(server['url'])
    const found = url === undefined ? undefined : absolute(filled(references, url, server), base)
    if (found !== undefined) return found
  }
  return undefined
}

/** With the defaults of its variables: `https://{region}.example.com`. */
function filled(references: References, url: string, server: Fields): string {
  const variables = new Map(Object.entries(references.fields(server['variables'])))
  return url.replace(/\{([^{}]+)\}/g, (whole, name: string) => {
    const value = references.fields(variables.get(name))['default']
    return typeof value === 'string' || typeof value === 'number' ? String(value) : whole
  })
}

/** @returns `undefined` for anything but `http:` and `https:`, and for an address with a place left to fill. */
export function absolute(url: string, base?: string): string | undefined {
  if (/[{}]/.test(url) || !URL.canParse(url, base)) return undefined
  const parsed = new URL(url, base)
  if (!/^https?:$/.test(parsed.protocol) || parsed.username !== '' || parsed.password !== '') {
    return undefined
  }
  return `${parsed.origin}${parsed.pathname}`.replace(/\/+$/, '')
}
