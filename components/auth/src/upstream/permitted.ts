/** `auth_upstream_users`: which users of the upstream server may sign in. With no entry, none may. */
import { isArrayOf, isString } from 'ftl-contract'
import { ConfigurationError, jsonIn, type Parse } from 'ftl-http'
import type { User } from '../grants/book.ts'
import type { Upstream } from './upstream.ts'

/** `*`, or a kind and a value: `email:ada@example.com`. */
export type Entry = string

const MOST = 500
const LONGEST = 300

/** What each can be compared with, by the kind of the upstream server. */
const KINDS = {
  oidc: ['sub', 'email', 'domain', 'group'],
  github: ['sub', 'login', 'org', 'team'],
} as const

/** These are the same in capitals and small letters of ASCII: others, such as the sign for kelvin, become a letter of another user. */
const FOLDED = /^(email|domain|login|org|team):/

const folded = (entry: string) =>
  FOLDED.test(entry) ? entry.replace(/[A-Z]/g, (letter) => letter.toLowerCase()) : entry

export const parsePermitted: Parse<readonly Entry[]> = (text, refuse) => {
  const list = text.startsWith('[') ? jsonIn(text) : text.split(/[,\n]/)
  if (!isArrayOf(list, isString)) return refuse('must be a list with commas, or a JSON array')
  const entries = list.map((entry) => entry.trim()).filter((entry) => entry !== '')
  if (entries.length > MOST) return refuse(`may have at most ${MOST} entries`)
  for (const [index, entry] of entries.entries()) {
    const isEntry =
      entry === '*' || /^(sub|email|domain|group|login|org|team):[^\p{C}]+$/u.test(entry)
    if (!isEntry || entry.length > LONGEST)
      refuse(
        `must have entries such as email:ada@example.com, domain:, group:, sub:, login:, org:, team: or *; entry ${index + 1} is not one`,
      )
  }
  return entries.map(folded)
}

/** Everyone on the internet has an account there, or can have one. */
const PUBLIC = ['https://github.com', 'https://accounts.google.com']

/** @throws {ConfigurationError} for entries that no user of this server can have: they would permit fewer than is meant. */
export function checkPermitted({ kind, issuer, label }: Upstream, entries: readonly Entry[]): void {
  const fail = (problem: string): never => {
    throw new ConfigurationError('auth_upstream_users', problem)
  }
  if (entries.length === 0)
    fail(
      `names no users, so no user of ${label} can sign in. List those who may, such as ${kind === 'github' ? 'login:ada, org:acme' : 'email:ada@example.com, group:staff'}`,
    )
  if (entries.includes('*') && PUBLIC.includes(issuer))
    fail(`must not be *: ${label} has users from everywhere`)
  const kinds: readonly string[] = KINDS[kind]
  const other = entries.find((entry) => entry !== '*' && !kinds.includes(kindOf(entry)))
  if (other !== undefined)
    fail(
      `cannot have "${kindOf(other)}:" with ${label}; use ${kinds.map((each) => `${each}:`).join(', ')}`,
    )
}

const kindOf = (entry: Entry) => entry.slice(0, entry.indexOf(':'))

/** Whether one of the entries names the user. */
export function isPermitted({ facts = [], groups }: User, entries: readonly Entry[]): boolean {
  const own = new Set([
    '*',
    ...facts,
    ...groups.flatMap((group) => [`group:${group}`, `org:${group}`, `team:${group}`]),
  ])
  const all = new Set([...own].map(folded))
  return entries.some((entry) => all.has(entry))
}
