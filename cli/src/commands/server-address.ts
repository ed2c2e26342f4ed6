/** Says what is wrong with the address of a server, and which one was probably meant. */
import { MCP_PATH } from '../running/find.ts'

/** @returns the problem; `undefined` for a URL that can be requested. */
export function addressProblem(url: string): string | undefined {
  const parsed = URL.canParse(url) ? new URL(url) : undefined
  if (parsed && /^https?:$/.test(parsed.protocol)) return undefined
  // `localhost:3000` parses as a URL of the scheme "localhost".
  const bare = /^(?:[a-z]+:\/\/)?([\w.[\]:-]+(?:\/.*)?)$/i.exec(url.trim())?.[1]
  const host = bare?.split('/')[0] ?? ''
  const isLocal = /^(localhost|127\.|\[::1\])/.test(host)
  const meant = `${isLocal ? 'http' : 'https'}://${withPath(bare ?? '')}`
  const hint = host !== '' && URL.canParse(meant) ? `; did you mean ${meant}?` : ''
  return `--url ${url} must begin with http:// or https://${hint}`
}

/** The address with the path of a gateway, for one that has no path; `undefined` when it has one. */
export function addressWithPath(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined
  const { pathname, search, origin } = new URL(url)
  return pathname === '/' && search === '' ? origin + MCP_PATH : undefined
}

/** `/tools/mcp`, and `/tools/mcp/x/images` of one component. */
const BASE = /^(.*)\/mcp\/?$|^(.*?)\/mcp\//

/** What a gateway serves beside its MCP endpoint. Both may be below a path, such as that of a proxy. */
export function besideMcp(server: string | URL, path: string): URL {
  const url = new URL(server)
  const [, whole, part = ''] = BASE.exec(url.pathname) ?? []
  return new URL(`${url.origin}${whole ?? part}/${path}`)
}

function withPath(bare: string): string {
  return /^[^/]*\/?$/.test(bare) ? bare.replace(/\/?$/, MCP_PATH) : bare
}
