/**
 * The conversations of this browser. They are stored in IndexedDB; where the browser blocks it, in `localStorage`; where it
 * blocks that as well, they exist until the tab is closed, and the page says so.
 */
import { load, save, savedKeys, saveText } from '../../local-storage.ts'
import { createStore } from '../../store.ts'
import { newKey } from '../../jobs/call.ts'
import { asArray, asRecord, text } from '../../net/api.ts'
import * as database from './database.ts'
import { type Head, toHead } from './database.ts'
import { headOf, type Written } from './head-of.ts'
import { announce, listen } from './other-tabs.ts'

export type { Head } from './database.ts'

interface Archive {
  /** The newest first. */
  list: readonly Head[]
  /** `blocked`: nothing is stored. `full`: the newest messages are not stored. */
  state: 'stored' | 'blocked' | 'full'
}

export const archive = createStore<Archive>({ list: [], state: 'stored' })

/**
 * In `localStorage`, from before there was a database, or from a tab that was closed in the middle of an answer: it has no
 * time to wait for a database.
 */
const JOURNAL = 'chat.'
let isOpen = false
let isForgotten = false

/** Called once, before anything else here. */
export async function openArchive(): Promise<void> {
  try {
    const found = await database.openDatabase()
    isOpen = true
    put(...found)
    await takeJournal()
  } catch {
    archive.set((before) => ({ ...before, state: canSave() ? 'stored' : 'blocked' }))
    put(
      ...savedKeys(JOURNAL)
        .flatMap(readJournal)
        .map(({ head }) => head),
    )
  }
  listen({
    put: (head) => put(head),
    drop,
    forget: () => archive.set((before) => ({ ...before, list: [] })),
  })
}

export interface Read {
  /** As JSON. */
  texts: readonly string[]
  head: Head
}

/** @returns `undefined` if there is no such conversation, or it cannot be read. */
export async function readConversation(id: string): Promise<Read | undefined> {
  try {
    return isOpen ? await database.readMessages(id) : readJournal(id)[0]
  } catch {
    return undefined
  }
}

/** A conversation to be stored. */
export interface Draft {
  id: string
  /** All of it, in its order. */
  messages: readonly Written[]
  /** JSON that is stored already, by the id of the message. */
  stored: ReadonlyMap<string, string>
  known: readonly (string | undefined)[]
  /** The new one. */
  revision: string
}

/** @returns `full` if it could not be stored, `conflict` if another tab has changed it meanwhile. */
export async function writeConversation(draft: Draft): Promise<'stored' | 'full' | 'conflict'> {
  if (isForgotten) return 'full'
  const { id, messages, stored, known } = draft
  const head = headFor(draft)
  const isListed = headNamed(id) !== undefined
  if (!isOpen) {
    writeJournal(draft)
    put(head)
    return 'stored'
  }
  const changed = new Map(
    messages.flatMap(({ id: message, json }) =>
      stored.get(message) === json ? [] : [[message, json] as const],
    ),
  )
  let state: 'stored' | 'full' = 'stored'
  try {
    if (!(await database.write({ head, changed, known }))) return 'conflict'
    save(JOURNAL + id, undefined)
  } catch {
    state = 'full'
  }
  archive.set((now) => (now.state === state ? now : { ...now, state }))
  // While it was written, the user may have given it a name, or deleted it.
  if (!isListed || headNamed(id)) (state === 'full' ? put : tell)(named(head))
  return state
}

/**
 * At once, when the tab may be closed. It is taken into the database when the page is opened again.
 *
 * @returns `false` if there is no room for it.
 */
export function writeJournal(draft: Draft): boolean {
  if (isForgotten) return true
  const { id, messages, known } = draft
  const { name, at } = headFor(draft)
  const about = JSON.stringify({ at, name, known: known.map((one) => one ?? null) })
  const texts = messages.map(({ json }) => json).join()
  return saveText(JOURNAL + id, `${about.slice(0, -1)},"messages":[${texts}]}`)
}

function headFor({ id, messages, revision }: Draft): Head {
  return named({ ...headOf(id, messages), revision })
}

/** With the name that the list has now. */
function named({ name: _before, ...head }: Head): Head {
  const name = headNamed(head.id)?.name
  return { ...head, ...(name !== undefined && { name }) }
}

/** @param typed the name; empty for none. */
export async function renameConversation(id: string, typed: string): Promise<void> {
  if (!headNamed(id)) return
  const name = typed.trim() || undefined
  if (isOpen) await database.rename(id, name).catch(() => undefined)
  else if (load(JOURNAL + id) !== undefined)
    save(JOURNAL + id, { ...asRecord(load(JOURNAL + id)), name })
  // Only now: the name that is shown is still there if the page is loaded again at once.
  const now = headNamed(id)
  if (!now) return
  const { name: _before, ...rest } = now
  tell({ ...rest, ...(name !== undefined && { name }) })
}

/** All tabs. */
function tell(head: Head): void {
  put(head)
  announce({ kind: 'put', head })
}

export async function removeConversation(id: string): Promise<void> {
  drop(id)
  announce({ kind: 'drop', id })
  save(JOURNAL + id, undefined)
  if (isOpen) await database.remove(id).catch(() => undefined)
}

/** Deletes every conversation. What this tab still receives is not stored any more. */
export async function forgetArchive(): Promise<void> {
  isForgotten = true
  archive.set((before) => ({ ...before, list: [] }))
  announce({ kind: 'forget' })
  await database.removeAll().catch(() => undefined)
}

export function headNamed(id: string): Head | undefined {
  return archive.get().list.find((head) => head.id === id)
}

function put(...some: readonly Head[]): void {
  const ids = new Set(some.map(({ id }) => id))
  archive.set((before) => ({
    ...before,
    list: [...before.list.filter(({ id }) => !ids.has(id)), ...some].sort((a, b) => b.at - a.at),
  }))
}

function drop(id: string): void {
  archive.set((before) => ({ ...before, list: before.list.filter((head) => head.id !== id) }))
}

async function takeJournal(): Promise<void> {
  for (const id of savedKeys(JOURNAL)) {
    const [found] = readJournal(id)
    if (found && !(await take(id, found))) continue
    save(JOURNAL + id, undefined)
  }
}

/** @returns whether it is in the database. */
async function take(id: string, { head, texts }: Read): Promise<boolean> {
  const changed = new Map(head.ids.map((message, place) => [message, texts[place] ?? '']))
  const known = asArray(asRecord(load(JOURNAL + id))['known']).map(text)
  // Another tab has gone on with it: both are kept.
  for (const [as, from] of [
    [id, known.length > 0 ? known : [undefined]],
    [newKey(), [undefined]],
  ] as const) {
    const next = { ...head, id: as }
    const isWritten = await database
      .write({ head: next, changed, known: from })
      .catch(() => undefined)
    if (isWritten === undefined) return false
    if (!isWritten) continue
    put(next)
    return true
  }
  return false
}

function readJournal(id: string): Read[] {
  const saved = asRecord(load(JOURNAL + id))
  const messages = asArray(saved['messages']).flatMap((message) => {
    const { id: own, role, content } = asRecord(message)
    if (typeof own !== 'string') return []
    const said = role === 'user' ? (text(content) ?? '') : ''
    return { id: own, json: JSON.stringify(message), said }
  })
  if (id === '' || messages.length === 0) return []
  const { at, name } = saved
  const [head] = toHead({ ...headOf(id, messages), revision: newKey(), at, name })
  return head ? [{ head, texts: messages.map(({ json }) => json) }] : []
}

function canSave(): boolean {
  save('test', 1)
  const isSaved = load('test') === 1
  save('test', undefined)
  return isSaved
}
