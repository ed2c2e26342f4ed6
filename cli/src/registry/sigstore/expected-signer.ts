/** The signers that a project expects: an issuer of identities, and the subject or the repository that it must name. */
import { isObject } from 'ftl-contract'
import { CommandFailure } from '../../terminal/failure.ts'
import type { Identity } from './verify-bundle.ts'

/** What is compared with an {@link Identity}: exactly, and never as a pattern. */
export interface ExpectedIdentity {
  issuer: string
  subject?: string | undefined
  repository?: string | undefined
}

const KEYS = ['issuer', 'subject', 'repository']

/** @param where names the table in messages. @throws {CommandFailure} naming the field. */
export function parseExpected(value: unknown, where: string): ExpectedIdentity {
  const refuse = (problem: string): never => {
    throw new CommandFailure(
      `${where} ${problem}. Write { issuer = "https://…", repository = "https://…" }, or subject instead of repository`,
    )
  }
  if (!isObject(value)) return refuse('must be a table')
  const odd = Object.keys(value).find((key) => !KEYS.includes(key))
  if (odd !== undefined) return refuse(`has the key "${odd.slice(0, 40)}", which nothing reads`)
  for (const key of KEYS) {
    const found = value[key]
    if (found !== undefined && (typeof found !== 'string' || found.trim() === ''))
      return refuse(`${key} must be a string`)
  }
  const { issuer, subject, repository } = value as Partial<Record<string, string>>
  if (issuer === undefined || !/^https:\/\//.test(issuer))
    return refuse('issuer must be an https address')
  if (subject === undefined && repository === undefined)
    return refuse(
      'must have a repository or a subject: an issuer alone would accept all of its users',
    )
  return { issuer, subject, repository: repository?.replace(/\/+$/, '') }
}

export function isExpected(
  { issuer, subject, repository }: Identity,
  expected: readonly ExpectedIdentity[],
): boolean {
  return expected.some(
    (each) =>
      each.issuer === issuer &&
      (each.subject === undefined || each.subject === subject) &&
      (each.repository === undefined || each.repository === repository),
  )
}

/** For messages and for the lock: the repository stays the same from release to release, the subject does not. */
export const identityText = ({ issuer, subject, repository }: Identity) =>
  `${repository ?? subject} (by ${issuer})`
