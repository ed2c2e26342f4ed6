/** Stores conversations as they change: at most once a second, and only the messages that have changed. */
import type { ChatStore } from 'ftl-client/chat'
import { newKey } from '../jobs/call.ts'
import { toSaved } from '../local-storage.ts'
import { type Draft, type Read, writeConversation, writeJournal } from './archive/archive.ts'
import type { Written } from './archive/head-of.ts'
import type { Added, Message } from './message.ts'

type Chat = ChatStore<Added>

interface Saving {
  id: string
  /** The revision that this tab has read or written last. */
  known: string | undefined
  /** The revision that is being written. */
  pending: string | undefined
  stored: ReadonlyMap<string, string>
  isWriting: boolean
}

const SAVE_MS = 1_000
/** A new message is in the list of conversations at once. */
const SOON_MS = 50
/** Once more after storage was full: the user may have deleted something. */
const RETRY_MS = 15_000

const savings = new Map<Chat, Saving>()
const unsaved = new Set<Chat>()
let timer: ReturnType<typeof setTimeout> | undefined
let onConflict: (chat: Chat, id: string) => void = () => undefined

/** @param moved is called for a conversation that another tab has changed: this tab goes on in a copy of it. */
export function startSaving(moved: typeof onConflict): void {
  onConflict = moved
  addEventListener('pagehide', writeJournals)
  document.addEventListener('visibilitychange', () => {
    if (document.hidden) saveNow()
  })
}

/** @param read what is stored of it already. */
export function keepSaved(chat: Chat, id: string, read: Read | undefined): void {
  savings.set(chat, {
    id,
    known: read?.head.revision,
    pending: undefined,
    stored: new Map(read?.head.ids.map((message, place) => [message, read.texts[place] ?? ''])),
    isWriting: false,
  })
  let { length } = chat.getState().messages
  chat.subscribe(() => {
    if (!savings.has(chat)) return
    const { messages } = chat.getState()
    scheduleSave(chat, messages.length === length ? SAVE_MS : SOON_MS)
    length = messages.length
  })
}

/** Nothing of it is stored any more. */
export function stopSaving(chat: Chat): void {
  savings.delete(chat)
  unsaved.delete(chat)
}

// An answer arrives in hundreds of pieces, so do not save each one.
function scheduleSave(chat: Chat, waitMs: number): void {
  unsaved.add(chat)
  if (waitMs === SOON_MS) clearTimeout(timer)
  if (waitMs === SOON_MS || timer === undefined) timer = setTimeout(saveNow, waitMs)
}

export function saveNow(): void {
  clearTimeout(timer)
  timer = undefined
  for (const chat of [...unsaved]) void saveChat(chat)
}

export async function saveChat(chat: Chat): Promise<void> {
  const saving = savings.get(chat)
  if (!saving || saving.isWriting) return
  unsaved.delete(chat)
  const draft = draftOf(chat, saving)
  if (draft.messages.length === 0 && saving.known === undefined) return
  saving.isWriting = true
  saving.pending = draft.revision
  const outcome = await writeConversation(draft)
  saving.isWriting = false
  saving.pending = undefined
  if (savings.get(chat) !== saving) return
  if (outcome === 'stored') {
    saving.known = draft.revision
    saving.stored = new Map(draft.messages.map(({ id, json }) => [id, json]))
    if (unsaved.has(chat)) scheduleSave(chat, SAVE_MS)
  } else if (outcome === 'full') {
    unsaved.add(chat)
    timer ??= setTimeout(saveNow, RETRY_MS)
  } else {
    const copy = { ...saving, id: newKey(), known: undefined, stored: new Map<string, string>() }
    savings.set(chat, copy)
    onConflict(chat, copy.id)
    await saveChat(chat)
  }
}

/** The page may be closed, and there is no time for the database. */
function writeJournals(): void {
  for (const [chat, saving] of savings) {
    if (!unsaved.has(chat) && !saving.isWriting) continue
    // The database may still have time.
    if (!writeJournal(draftOf(chat, saving))) void saveChat(chat)
  }
}

function draftOf(chat: Chat, { id, known, pending, stored }: Saving): Draft {
  const messages = chat.getState().messages.map(toWritten)
  const both = pending === undefined ? [known] : [known, pending]
  return { id, messages, stored, known: both, revision: newKey() }
}

/** Of messages that have not changed since: a long conversation is not converted again for each new piece. */
const converted = new WeakMap<Message, Written>()

function toWritten(message: Message): Written {
  const { id, role, content } = message
  const written = converted.get(message) ?? {
    id,
    json: toSaved(message),
    said: role === 'user' ? content : '',
  }
  converted.set(message, written)
  return written
}
