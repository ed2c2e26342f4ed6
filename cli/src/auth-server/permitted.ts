/** Entries of `auth_upstream_users`: with one that the component cannot use, it signs in no user. */
import { GITHUB } from './upstream.ts'

const KINDS = {
  oidc: ['sub', 'email', 'domain', 'group'],
  github: ['sub', 'login', 'org', 'team'],
} as const

/** Everyone has an account there. */
const PUBLIC = ['https://github.com', 'https://accounts.google.com']

/**
 * @param upstream value of `auth_upstream`, which was found to be usable.
 * @returns what is wrong.
 */
export function permitProblem(upstream: string, entries: readonly string[]): string | undefined {
  const own = upstream.startsWith(`${GITHUB}:`) ? upstream.slice(GITHUB.length + 1) : undefined
  const address = upstream === GITHUB ? 'https://github.com' : (own ?? upstream)
  const isPublic = PUBLIC.includes(new URL(address).origin)
  const kinds = KINDS[address === upstream ? 'oidc' : 'github']
  const isUsable = (entry: string) =>
    entry === '*'
      ? !isPublic
      : kinds.some((kind) => entry.startsWith(`${kind}:`) && entry.length > kind.length + 1)
  const wrong = entries.find((entry) => !isUsable(entry))
  if (wrong === undefined) return undefined
  const usable = kinds.map((kind) => `${kind}:`).join(', ')
  return `"${wrong}" names no user of ${upstream}; use ${usable}${isPublic ? '' : ' or *'}`
}

/** As the component reads the variable. */
export function entriesIn(text: string): string[] {
  let list: unknown = text.split(/[,\n]/)
  if (text.startsWith('[')) {
    try {
      list = JSON.parse(text)
    } catch {
      return [text]
    }
  }
  const entries = Array.isArray(list) ? list : [text]
  return entries.map((entry) => String(entry).trim()).filter((entry) => entry !== '')
}

/** For the variable. */
export function entriesText(entries: readonly string[]): string {
  return entries.some((entry) => entry.includes(',')) ? JSON.stringify(entries) : entries.join(', ')
}
