/** What a bundle states: in-toto statements. @see https://github.com/in-toto/attestation/blob/main/spec/v1/statement.md */
import { isObject } from 'ftl-contract'

/** The artifact that a bundle must be about. */
export interface Subject {
  algorithm: 'sha256' | 'sha512'
  /** Hexadecimal. */
  digest: string
  /** @default any */
  name?: string
}

/**
 * Statements of the one who made the artifact. Others, such as the report of a scanner, say nothing about who published it.
 */
const PREDICATES = new Set([
  'https://slsa.dev/provenance/v0.2',
  'https://slsa.dev/provenance/v1',
  'https://sigstore.dev/cosign/sign/v1',
  'https://github.com/npm/attestation/tree/main/specs/publish/v0.1',
])

const TYPES = new Set(['https://in-toto.io/Statement/v0.1', 'https://in-toto.io/Statement/v1'])

export const STATEMENT_TYPE = 'application/vnd.in-toto+json'

export interface Statement {
  predicateType: string
  subjects: { name: unknown; digest: Record<string, unknown> }[]
}

/** @returns `undefined` for anything else. */
export function parseStatement(payload: Uint8Array): Statement | undefined {
  let value: unknown
  try {
    value = JSON.parse(Buffer.from(payload).toString('utf8'))
  } catch {
    return undefined
  }
  if (!isObject(value) || !TYPES.has(String(value['_type']))) return undefined
  const { subject, predicateType } = value
  if (!Array.isArray(subject) || typeof predicateType !== 'string') return undefined
  const subjects = (subject as unknown[]).flatMap((each) =>
    isObject(each) && isObject(each['digest'])
      ? [{ name: each['name'], digest: each['digest'] }]
      : [],
  )
  return { predicateType, subjects }
}

/** Whether it says who has made something. */
export const isPublication = ({ predicateType }: Statement) => PREDICATES.has(predicateType)

export const isAbout = ({ subjects }: Statement, { algorithm, digest, name }: Subject) =>
  subjects.some(
    (each) =>
      Object.hasOwn(each.digest, algorithm) &&
      each.digest[algorithm] === digest &&
      (name === undefined || each.name === name),
  )
