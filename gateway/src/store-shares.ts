/**
 * Who keeps how much in the gateway's own store.
 *
 * What outlives its request (jobs, runs of programs and their results) is as large as a component or a program makes it.
 * So each holder, a component or a kind of entry, has a book: a list of what it keeps and of the size of each. It may take as much as
 * stays free, and one of its callers half of that. However many take their shares, there is room for one more; and
 * half of the store is never given out, so that verdicts, approvals, the catalog and its index can always be written.
 *
 * The books are read and written when something begins, grows or ends. Where the host compares (`setIf`), their sum is never less than what
 * is kept, and more only by what has expired or what an instance that was ended had not stored yet. On Spin, of changes
 * at the same moment the last one counts.
 */
import { utf8 } from 'ftl-http'
import { logError } from './log.ts'
import { changeEntry, loadEntry } from './own-entries.ts'
import type { Scope } from './scope.ts'
import { StoreFull } from './store-failure.ts'

/** Times are milliseconds since the epoch. `bytes` of 0: it is no longer kept. */
export type Item = [id: string, expires: number, created: number, tag: string, bytes: number]

/** Of one holder; the version orders changes of the total. */
type Total = [bytes: number, version: number, soonest: number]

/** Holder of runs, of results of programs; no component can have such a name. */
export const RUNS = '.runs'
export const RESULTS = '.results'

/** What an entry counts for at least. It bounds the number of keys, too. */
export const BLOCK = 4096

/** Bytes that are given out in all where neither the host nor `store_bytes` says: half of the host's usual quota. */
const ROOM = 128 * 1024 * 1024

/** Maximum items of one book, each about 85 characters. */
const LIST_LIMIT = 8000

/** Maximum results of one caller: the oldest make room for another. Without authentication, of all together. */
const MOST_RESULTS = 20

/** Maximum expired items taken out in one change. */
const SWEEP_LIMIT = 500

const TOTALS = 'gateway:shares'
const keyOf = (holder: string) => `gateway:share:${holder}`

/** What the holder keeps, also what has expired. */
export async function itemsOf(scope: Scope, holder: string): Promise<Item[]> {
  return bookIn(await loadEntry(scope, keyOf(holder)))[1]
}

/**
 * Takes room for something before it is stored, or changes how much it has. Deletes what has expired.
 *
 * @param base if the item has not all its bytes, but more: what it has at first.
 * @throws {StoreFull} if it does not fit; what it had before, it keeps.
 */
export async function takeRoom(
  scope: Scope,
  holder: string,
  item: Item,
  base?: number,
): Promise<void> {
  if (!(await change(scope, holder, item, base))) return
  for (const [other, [, , soonest]] of totalsIn(await loadEntry(scope, TOTALS))) {
    if (soonest <= scope.platform.now()) await change(scope, other)
  }
  const full = await change(scope, holder, item, base)
  if (full) throw full
}

export function bytesInBlocks(text: string): number {
  return Math.ceil(utf8(text).length / BLOCK) * BLOCK
}

async function change(
  scope: Scope,
  holder: string,
  asked?: Item,
  base?: number,
): Promise<StoreFull | undefined> {
  const now = scope.platform.now()
  const room = roomOf(scope)
  const totals = totalsIn(asked && (await loadEntry(scope, TOTALS)))
  totals.delete(holder)
  const others = sum(totals.values(), 0)
  let full: StoreFull | undefined
  let item = asked
  let before: Item | undefined
  let over: Item[] = []
  let total: Total = [0, 0, 0]
  const isChanged = await changeEntry(scope, keyOf(holder), (value) => {
    const [version, items] = bookIn(value)
    before = items.find(([id]) => id === asked?.[0])
    if (asked && base !== undefined) {
      item = [...asked]
      item[4] += before?.[4] ?? base
    }
    over = items.filter((each) => each[1] <= now && each !== before).slice(0, SWEEP_LIMIT)
    const gone = new Set([...over, before])
    let left = items.filter((each) => !gone.has(each))
    full = undefined
    if (item && item[4] > (before?.[4] ?? 0)) {
      const [, , , tag] = item
      const isOwn = (each: Item) => holder === RESULTS && each[3] === tag
      let kept = left
      for (;;) {
        full = refusal(holder, kept, item, room - others, now)
        const own = kept.filter(isOwn)
        if (own.length < (full ? 1 : MOST_RESULTS)) break
        kept = kept.filter((each) => each !== own[0])
      }
      if (!full) {
        over.push(...left.filter((each) => !kept.includes(each)))
        left = kept
      }
    }
    if (full || !item) {
      if (over.length === 0) return undefined
      if (before) left.push(before)
    } else if (item[4] > 0) left.push(item)
    total = [sum(left, 4), version + 1, soonestOf(left)]
    return JSON.stringify([version + 1, left])
  })
  if (!isChanged) return full
  let all = 0
  await changeEntry(scope, TOTALS, (value) => {
    const latest = totalsIn(value)
    const known = latest.get(holder)
    if (!known || known[1] < total[1]) latest.set(holder, total)
    all = sum(latest.values(), 0)
    return JSON.stringify([...latest])
  })
  scope.platform.waitUntil(
    forget(scope, holder, over).catch((error: unknown) => logError(scope, 'not deleted', error)),
  )
  if (full || !item || all <= room || item[4] <= (before?.[4] ?? 0)) return full
  // Others took the rest meanwhile.
  await change(scope, holder, before ?? [item[0], 0, 0, '', 0])
  return refusal(holder, [], item, 0, now)
}

const NEVER = Number.MAX_SAFE_INTEGER

/** @param room what is not taken by other holders. */
function refusal(
  holder: string,
  left: readonly Item[],
  [, , , tag, bytes]: Item,
  room: number,
  now: number,
): StoreFull | undefined {
  const all = sum(left, 4) + bytes
  const free = room - all
  const own = left.filter((each) => each[3] === tag)
  const isHoldersFull = left.length >= LIST_LIMIT || all > free
  const isCallersFull =
    tag !== '' && (own.length + left.length >= LIST_LIMIT || sum(own, 4) + bytes > free - all)
  if (!isHoldersFull && !isCallersFull) return undefined
  const soonest = soonestOf(isHoldersFull ? left : own)
  return new StoreFull(whom(holder, isHoldersFull), Math.ceil(Math.max(soonest - now, 1000) / 1000))
}

function whom(holder: string, isHoldersFull: boolean): string {
  if (holder.startsWith('.')) return isHoldersFull ? 'programs' : 'your programs'
  return isHoldersFull ? `the component "${holder}"` : `your jobs of "${holder}"`
}

/** When the first of these expires; of none, when something of others may have. */
function soonestOf(items: readonly Item[]): number {
  return items.reduce((least, [, at]) => Math.min(least, at), NEVER)
}

function roomOf({ settings }: Scope): number {
  const most = settings.hostStoreBytes / 2
  return Math.min(settings.callSettings.storeBytes || most || ROOM, most || Infinity)
}

function bookIn(value: unknown): [version: number, items: Item[]] {
  return Array.isArray(value) ? (value as [number, Item[]]) : [0, []]
}

function totalsIn(value: unknown): Map<string, Total> {
  return new Map(Array.isArray(value) ? (value as [string, Total][]) : [])
}

function sum(items: Iterable<readonly unknown[]>, at: number): number {
  let bytes = 0
  for (const item of items) bytes += item[at] as number
  return bytes
}

/** Missing entries in a row after which no more are looked for: calls of a run are side by side, so there may be gaps. */
const GAP = 16

async function forget(scope: Scope, holder: string, items: readonly Item[]): Promise<void> {
  for (const [id] of items) await forgetEntries(scope, holder, id)
}

/** Deletes the entries of one item. */
export async function forgetEntries(scope: Scope, holder: string, id: string): Promise<void> {
  const store = await scope.store()
  const kind = holder === RUNS ? 'run' : holder === RESULTS ? 'result' : 'job'
  const key = `gateway:${kind}:${id}`
  await store.delete(key)
  if (kind === 'job') return
  await store.delete(`${key}:call`)
  for (let part = 0, missing = 0; missing < GAP; part++) {
    const at = `${key}:${part}`
    missing = (await store.exists(at)) ? 0 : missing + 1
    if (missing === 0) await store.delete(at)
  }
}
