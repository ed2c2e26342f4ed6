/**
 * What every answer must be, whatever was asked: written from the specifications, independently of the gateway.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http
 * @see https://www.jsonrpc.org/specification
 */
import { isObject } from '../differential/normal-form.ts'
import type { FuzzRequest } from './requests.ts'
import { answersIn } from './answers.ts'

export interface Answered {
  status: number
  headers: Headers
  text: string
}

/** Traces of the machine that an answer must not show. */
const INSIDES = /\n\s+at |\.[mc]?[tj]s:\d+|node_modules|file:\/\/\/|secret-in-a-stack/

/** @returns a line for everything that is wrong with the answer. */
export function complaints(asked: FuzzRequest, answered: Answered): string[] {
  const { status, text } = answered
  const found: string[] = []
  if (status >= 500) found.push(`status ${status}`)
  if (status < 200 || (status >= 300 && status < 400)) found.push(`status ${status}`)
  if (INSIDES.test(text)) found.push('shows its insides')
  if (status === 202 && text !== '') found.push('202 with a body')
  const read = text === '' ? { answers: [], faults: [] } : answersIn(asked, answered)
  const ids = read.answers.map(({ id }) => id ?? null)
  const due = isRefusedUnread(asked, status) ? ({ kind: 'any' } as const) : expected(asked)
  return [...found, ...read.faults, ...lostOrInvented(due, status, ids)]
}

/** `any`: the message is invalid, or refused before it is read, so an error without an id is right. */
type Expected = { kind: 'none' } | { kind: 'any' } | { kind: 'ids'; ids: unknown[] }

function lostOrInvented(due: Expected, status: number, ids: unknown[]): string[] {
  if (due.kind === 'ids') {
    const sorted = (values: unknown[]) => values.map((value) => JSON.stringify(value)).sort()
    const [wanted, got] = [sorted(due.ids).join(), sorted(ids).join()]
    return wanted === got ? [] : [`answers the ids [${got}] instead of [${wanted}]`]
  }
  if (ids.some((id) => id !== null)) return [`answers ${JSON.stringify(ids)}, which nobody asked`]
  // Refusing is allowed, silence is not.
  if (due.kind === 'none') return status === 202 || status >= 400 ? [] : [`status ${status}`]
  return status >= 400 ? [] : [`status ${status} for what is no message`]
}

/** Whether it may be refused before the body is read: its content type is not JSON, or its origin is another site. */
function isRefusedUnread({ headers }: FuzzRequest, status: number): boolean {
  const { 'content-type': type, origin } = headers
  if (status === 415) return type !== undefined && !/^application\/json\s*(;|$)/i.test(type.trim())
  return status === 403 && origin !== undefined && !/^http:\/\/localhost(:\d+)?$/.test(origin)
}

function expected({ headers, body }: FuzzRequest): Expected {
  let value: unknown
  try {
    value = JSON.parse(new TextDecoder().decode(new TextEncoder().encode(body)))
  } catch {
    return { kind: 'any' }
  }
  if (isDeep(value) || (body.match(/[[{]/g) ?? []).length > BRACKETS) return { kind: 'any' }
  if (!Array.isArray(value)) return ofMessage(value)
  if (isRefusedBatch(headers, value)) return { kind: 'any' }
  const each = value.map(ofMessage)
  const ids = each.flatMap((one) =>
    one.kind === 'ids' ? one.ids : one.kind === 'any' ? [null] : [],
  )
  return ids.length === 0 ? { kind: 'none' } : { kind: 'ids', ids }
}

function ofMessage(value: unknown): Expected {
  if (!isObject(value)) return { kind: 'any' }
  const { id, method, params = {}, jsonrpc } = value
  const isMessage = jsonrpc === '2.0'
  if (isMessage && method === undefined && ('result' in value || 'error' in value)) {
    return { kind: 'none' }
  }
  // Beyond 2^53 what was read is not what was sent.
  const exact = Number.isFinite(id) && Math.abs(id as number) <= Number.MAX_SAFE_INTEGER
  if (typeof id === 'string' || exact) return { kind: 'ids', ids: [id] }
  const isNotification = id === undefined && typeof method === 'string'
  const hasParams = params === null || isObject(params)
  return isMessage && isNotification && hasParams ? { kind: 'none' } : { kind: 'any' }
}

/** Only one revision has arrays, a modern message comes alone, and servers may limit how many there are. */
function isRefusedBatch(headers: FuzzRequest['headers'], batch: unknown[]): boolean {
  const version = headers['mcp-protocol-version']?.trim()
  const isModern = (value: unknown) =>
    isObject(value) &&
    isObject(value.params) &&
    isObject(value.params._meta) &&
    value.params._meta['io.modelcontextprotocol/protocolVersion'] !== undefined
  return (
    ![undefined, '', '2025-03-26'].includes(version) ||
    batch.length === 0 ||
    batch.length > 50 ||
    batch.some(isModern)
  )
}

/** Levels a server must take; one more may be refused unread. */
const DEPTH = 64
/** Arrays and objects it must take, counted by their brackets. */
const BRACKETS = 200_000

function isDeep(value: unknown): boolean {
  let level = [value]
  for (let depth = 0; depth <= DEPTH; depth++) {
    level = level.flatMap((one): unknown[] =>
      typeof one === 'object' && one !== null ? Object.values(one) : [],
    )
    if (level.length === 0) return false
  }
  return true
}
