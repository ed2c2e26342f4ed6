/**
 * Conversations in IndexedDB. Each message has a record of its own, so that a save writes only those that have changed; a
 * head holds what the list shows, so that a list of a thousand conversations reads no message.
 */
import { clear, createStore, promisifyRequest, type UseStore } from 'idb-keyval'
import { asArray, asRecord, count, text } from '../../net/api.ts'

/** What the list shows of a conversation. */
export interface Head {
  id: string
  /** Beginning of the first message. */
  title: string
  /** Given by the user, instead of the title. */
  name?: string
  /** Milliseconds since 1970 of the last change. */
  at: number
  /** What the user wrote, for the search. */
  words: string
  /** Ids of the messages, in their order. */
  ids: readonly string[]
  /** Another one after each change: a tab that does not know it has not seen the last change. */
  revision: string
}

/** A change of a conversation: what to write, and what it is based on. */
export interface Change {
  head: Head
  /** Messages that are new or have changed, as JSON, by their id. */
  changed: ReadonlyMap<string, string>
  /** Revisions that this tab has read or written; `undefined` for a conversation that is new. */
  known: readonly (string | undefined)[]
}

const OPEN_MS = 3_000
const heads = () => IDBKeyRange.bound(['head'], ['head', []])
const messagesIn = (id: string) => IDBKeyRange.bound(['message', id], ['message', id, []])

let store: UseStore | undefined

/** @throws if the browser does not let the page store anything, or does not answer. */
export async function openDatabase(): Promise<Head[]> {
  const opened = createStore('ftl-conversations', 'records')
  const read = opened('readonly', (records) => promisifyRequest(records.getAll(heads())))
  let timer: ReturnType<typeof setTimeout> | undefined
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('IndexedDB does not answer')), OPEN_MS)
  })
  const found = await Promise.race([read, timeout]).finally(() => clearTimeout(timer))
  store = opened
  return found.flatMap(toHead)
}

function records(): UseStore {
  if (!store) throw new Error('the database is not open')
  return store
}

/** @returns the messages as JSON, in their order, and the revision; `undefined` if there is no such conversation. */
export async function readMessages(
  id: string,
): Promise<{ texts: string[]; head: Head } | undefined> {
  return records()('readonly', async (found) => {
    const [value, keys, values] = await Promise.all([
      promisifyRequest<unknown>(found.get(['head', id])),
      promisifyRequest(found.getAllKeys(messagesIn(id))),
      promisifyRequest<unknown[]>(found.getAll(messagesIn(id))),
    ])
    const [head] = toHead(value)
    if (!head) return undefined
    const byId = new Map(keys.map((key, place) => [String(asArray(key)[2]), values[place]]))
    const texts = head.ids.flatMap((message) => text(byId.get(message)) ?? [])
    return { texts, head }
  })
}

/**
 * Writes a change, all of it or nothing.
 *
 * @returns `false`, and writes nothing, if another tab has changed the conversation since `known`.
 */
export async function write({ head, changed, known }: Change): Promise<boolean> {
  return records()('readwrite', async (all) => {
    const done = promisifyRequest<unknown>(all.transaction)
    let isKnown = true
    const reading = all.get(['head', head.id])
    reading.onsuccess = () => {
      const [before] = toHead(reading.result)
      isKnown = known.includes(before?.revision)
      if (!isKnown) return
      const kept = new Set(head.ids)
      for (const id of before?.ids ?? []) if (!kept.has(id)) all.delete(['message', head.id, id])
      // Another tab may have given it a name meanwhile.
      all.put(before?.name === undefined ? head : { ...head, name: before.name }, ['head', head.id])
      for (const [id, json] of changed) {
        try {
          all.put(json, ['message', head.id, id])
        } catch {
          // The transaction has been aborted, as for lack of room.
          return
        }
      }
    }
    await done
    return isKnown
  })
}

export async function rename(id: string, name: string | undefined): Promise<void> {
  await records()('readwrite', async (all) => {
    const reading = all.get(['head', id])
    reading.onsuccess = () => {
      const [head] = toHead(reading.result)
      if (!head) return
      const { name: _before, ...rest } = head
      all.put(name === undefined ? rest : { ...rest, name }, ['head', id])
    }
    await promisifyRequest<unknown>(all.transaction)
  })
}

export async function remove(id: string): Promise<void> {
  await records()('readwrite', async (all) => {
    all.delete(['head', id])
    all.delete(messagesIn(id))
    await promisifyRequest<unknown>(all.transaction)
  })
}

export async function removeAll(): Promise<void> {
  if (store) await clear(store)
}

/** @returns nothing for a record of another shape: an older page or another program may have written it. */
export function toHead(value: unknown): Head[] {
  const { id, title, name, at, words, ids, revision } = asRecord(value)
  if (typeof id !== 'string' || id === '') return []
  return [
    {
      id,
      title: text(title) ?? '',
      ...(typeof name === 'string' && name !== '' && { name }),
      at: count(at) ?? 0,
      words: text(words) ?? '',
      ids: asArray(ids).filter((entry) => typeof entry === 'string'),
      revision: text(revision) ?? '',
    },
  ]
}
