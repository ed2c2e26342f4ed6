/** The document of an MCP App, as its component serves it. Everything here is a stranger's. */
import { readDomains, type Domains } from '../../../apps/domains.ts'
import { asArray, asRecord } from '../net/api.ts'

export interface AppPage {
  html: string
  domains: Domains
  /** Entries that are not origins; the sandbox leaves them out. */
  ignored: string[]
  mayWriteClipboard: boolean
  hasBorder: boolean
}

/** Characters. The gateway's answers end at 8 MiB. */
const LONGEST_HTML = 5_000_000
const TYPE = /^text\/html\s*;\s*profile="?mcp-app"?\s*$/i

/** What is wrong with an app, for the person. */
class AppError extends Error {
  override readonly name = 'AppError'
}

/** @throws {AppError} */
export function readApp(uri: string, result: unknown): AppPage {
  const [first] = asArray(asRecord(result)['contents'])
  const { mimeType, text, blob, _meta } = asRecord(first)
  if (typeof mimeType !== 'string' || !TYPE.test(mimeType)) {
    throw new AppError(`${uri} must have the type text/html;profile=mcp-app.`)
  }
  const html = typeof text === 'string' ? text : typeof blob === 'string' ? decoded(uri, blob) : ''
  if (html === '') throw new AppError(`${uri} is empty.`)
  if (html.length > LONGEST_HTML) {
    throw new AppError(
      `${uri} has ${(html.length / 1e6).toFixed(1)} million characters; this page shows apps of up to ${LONGEST_HTML / 1e6} million.`,
    )
  }
  const { csp, permissions, prefersBorder } = asRecord(asRecord(_meta)['ui'])
  const { connectDomains, resourceDomains, frameDomains, baseUriDomains } = asRecord(csp)
  const lists = {
    connect: asArray(connectDomains),
    resource: asArray(resourceDomains),
    frame: asArray(frameDomains),
    base: asArray(baseUriDomains),
  }
  const domains = readDomains(lists)
  const kept = new Set(Object.values(domains).flat())
  const ignored = Object.values(lists)
    .flat()
    .filter((entry) => !kept.has(String(entry).toLowerCase()))
  return {
    html,
    domains,
    ignored: [...new Set(ignored.map((entry) => String(entry).slice(0, 100)))].slice(0, 5),
    mayWriteClipboard: 'clipboardWrite' in asRecord(permissions),
    hasBorder: prefersBorder !== false,
  }
}

function decoded(uri: string, base64: string): string {
  try {
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
    return new TextDecoder().decode(bytes)
  } catch {
    throw new AppError(`${uri} is not valid base64.`)
  }
}

/** The address of the sandbox for it. */
export function sandboxAddress({ domains }: AppPage): string {
  const query = new URLSearchParams()
  for (const [kind, origins] of Object.entries(domains)) {
    for (const origin of origins) query.append(kind, origin)
  }
  return `/app/sandbox?${query}`
}
