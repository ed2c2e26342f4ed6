/** The server whose users sign in at the component `auth`: what its settings have to be. */
import { visible } from '../terminal/visible-text.ts'

export const GITHUB = 'github'

const PATIENCE_MS = 5_000

export interface Reached {
  /** Origins that the component requests. */
  hosts: string[]
}

/**
 * @param upstream value of `auth_upstream`.
 * @returns what is wrong, if it is a string.
 */
export async function reachUpstream(upstream: string): Promise<Reached | string> {
  if (upstream === GITHUB) return { hosts: ['https://github.com', 'https://api.github.com'] }
  if (upstream.startsWith(`${GITHUB}:`)) return { hosts: [upstream.slice(GITHUB.length + 1)] }
  if (!/^https?:$/.test(URL.canParse(upstream) ? new URL(upstream).protocol : ''))
    return 'it is not the address of an OpenID provider, such as https://accounts.google.com'
  const address = `${upstream.replace(/\/$/, '')}/.well-known/openid-configuration`
  let document: Record<string, unknown>
  try {
    const response = await fetch(address, { signal: AbortSignal.timeout(PATIENCE_MS) })
    if (!response.ok) return `${address} answered ${response.status}`
    const value: unknown = await response.json()
    document = typeof value === 'object' && value !== null ? { ...value } : {}
  } catch {
    return `${address} cannot be read`
  }
  const { issuer } = document
  if (typeof issuer !== 'string' || !isSameAddress(issuer, upstream))
    return `its metadata names the issuer ${typeof issuer === 'string' ? visible(issuer).slice(0, 300) : 'none'}; give exactly that`
  const named = ['token_endpoint', 'jwks_uri', 'userinfo_endpoint']
    .map((name) => document[name])
    .filter((value) => typeof value === 'string' && URL.canParse(value))
  return { hosts: [...new Set([issuer, ...named].map((each) => new URL(String(each)).origin))] }
}

/** As the component compares: with a path, one with a slash at its end is another issuer. */
const isSameAddress = (one: string, other: string) =>
  URL.canParse(one) && URL.canParse(other) && new URL(one).href === new URL(other).href
