/**
 * Results of programs that are too long for one answer: kept for an hour for the caller of the run, in pieces, and read by
 * page. The handle of a result is the id of its run, so a run has one at most.
 *
 * A caller has few of them at once, and the oldest goes first, so that programs cannot fill the store.
 */
import { isJobId, isObject, isString } from 'ftl-contract'
import { ownerTag } from '../jobs/job-index.ts'
import { loadEntry, saveEntry } from '../own-entries.ts'
import type { Scope } from '../scope.ts'
import { BLOCK, bytesInBlocks, RESULTS, takeRoom } from '../store-shares.ts'
import { VALUE_LIMIT } from './kept-run.ts'

/** Bytes of one result. */
export const RESULT_LIMIT = 4 * 1024 * 1024

const LIFETIME_MS = 3_600_000

/** Maximum characters of one page. */
export const LONGEST_PAGE = 1_000_000

interface Head {
  id: string
  /** Principal of the caller. @default no authentication */
  owner?: string | undefined
  /** The one component that the client's address was about. @default all */
  only?: string | undefined
  /** Milliseconds since the epoch. */
  expiresAt: number
  /** Characters (UTF-16) of the whole text. */
  length: number
  /** Characters of a page, unless its reader says otherwise. */
  page: number
}

export interface Page {
  text: string
  /** Where it begins, in characters (UTF-16): never inside of a character. */
  offset: number
  /** Where the next page begins; absent at the end. */
  next?: number
  of: number
  expiresAt: string
}

const headKey = (id: string) => `gateway:result:${id}`
const pieceKey = (id: string, index: number) => `${headKey(id)}:${index}`
const piecesOf = (length: number) => Math.ceil(length / VALUE_LIMIT)

/** @returns when it expires. @throws {StoreFull} */
export async function keepResult(
  scope: Scope,
  id: string,
  text: string,
  page: number,
): Promise<string> {
  const { principal: owner, only } = scope
  const { length } = text
  const now = scope.platform.now()
  const expiresAt = now + LIFETIME_MS
  // As it is stored: an escaped character has up to six bytes.
  const bytes = bytesInBlocks(JSON.stringify(text)) + BLOCK
  await takeRoom(scope, RESULTS, [id, expiresAt, now, ownerTag(owner), bytes])
  for (let index = 0; index * VALUE_LIMIT < length; index++) {
    const piece = text.slice(index * VALUE_LIMIT, (index + 1) * VALUE_LIMIT)
    await saveEntry(scope, pieceKey(id, index), JSON.stringify(piece))
  }
  const head: Head = { id, owner, only, expiresAt, length, page }
  await saveEntry(scope, headKey(id), JSON.stringify(head))
  return new Date(expiresAt).toISOString()
}

/**
 * @param limit characters; @default as the run shows of a result
 * @returns `undefined` if this caller has no such result, or it has expired.
 * @throws {OffsetBehindEnd}
 */
export async function readPage(
  scope: Scope,
  id: string,
  offset = 0,
  limit?: number,
): Promise<Page | undefined> {
  const head = await loadHead(scope, id)
  if (!head) return undefined
  const { length, page } = head
  if (offset >= length) throw new OffsetBehindEnd(length)
  // One character more at both ends shows whether a pair is cut.
  const from = Math.max(0, offset - 1)
  const to = Math.min(length, offset + (limit ?? page) + 1)
  let text = ''
  for (let index = Math.floor(from / VALUE_LIMIT); index < piecesOf(to); index++) {
    const piece = await loadEntry(scope, pieceKey(id, index))
    if (!isString(piece)) return undefined
    text += piece
  }
  const before = Math.floor(from / VALUE_LIMIT) * VALUE_LIMIT
  const start = wholeFrom(text, offset - before)
  const end = wholeTo(text, Math.min(to, offset + (limit ?? page)) - before, start)
  return {
    text: text.slice(start, end),
    offset: before + start,
    ...(before + end < length && { next: before + end }),
    of: length,
    expiresAt: new Date(head.expiresAt).toISOString(),
  }
}

export class OffsetBehindEnd extends Error {
  override readonly name = 'OffsetBehindEnd'
  constructor(length: number) {
    super(`"offset" must be less than ${length}, the length of the result.`)
  }
}

async function loadHead(scope: Scope, id: string): Promise<Head | undefined> {
  if (!isJobId(id)) return undefined
  const head = (await loadEntry(scope, headKey(id))) as Head | undefined
  if (!isObject(head) || head.id !== id || head.owner !== scope.principal) return undefined
  if (scope.only !== undefined && head.only !== scope.only) return undefined
  return head.expiresAt > scope.platform.now() ? head : undefined
}

/** Whether the place is between the two halves of a character. */
function cutsPair(text: string, at: number): boolean {
  return /^[\ud800-\udbff][\udc00-\udfff]$/.test(text.slice(at - 1, at + 1))
}

const wholeFrom = (text: string, at: number) => (at > 0 && cutsPair(text, at) ? at - 1 : at)

/** A page of less than one character has this character. */
function wholeTo(text: string, at: number, start: number): number {
  if (!cutsPair(text, at)) return at
  return at - 1 > start ? at - 1 : at + 1
}
