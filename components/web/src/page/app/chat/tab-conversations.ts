/** The conversations of this tab, each in a {@link ChatStore} that is saved and restored after a reload. */
import { ChatFailure, type ChatState, ChatStore } from 'ftl-client/chat'
import { askPerson } from '../approval/approvals.ts'
import { newKey } from '../jobs/call.ts'
import { noteJob } from '../jobs/known-jobs.ts'
import { send } from '../sign-in/session.ts'
import { noteReached } from '../net/gateway-reachable.ts'
import { createStore } from '../store.ts'
import {
  archive,
  headNamed,
  openArchive,
  type Read,
  readConversation,
  removeConversation,
  renameConversation,
} from './archive/archive.ts'
import { listen } from './archive/other-tabs.ts'
import { claim } from './conversation-locks.ts'
import { type Added, type Message, readMessage } from './message.ts'
import { keepSaved, saveChat, saveNow, startSaving, stopSaving } from './saving.ts'
import { model } from './settings.ts'
import { noteStep } from './steps.ts'

export type Chat = ChatStore<Added>

const NOT_SENT = 'The gateway could not be reached, so this was not sent.'
const OWN = 'ftl.chat'

/** The chats of this tab by the conversation's id; those that are not shown receive the rest of their answer. */
const chats = new Map<string, Chat>()
let shownId = newKey()
let shown = openChat(shownId)

/** The state of the conversation that is shown. */
export const conversation = createStore<ChatState<Added>>({
  ...shown.getState(),
  conversationId: shownId,
})

/** What happened to the conversation that is shown, for the user. */
export const notice = createStore('')

/** The chat of the conversation that is shown. */
export function currentChat(): Chat {
  return shown
}

function openChat(id: string, read?: Read): Chat {
  const known = chats.get(id)
  if (known) return known
  const messages = read?.texts.flatMap(readMessage) ?? []
  const chat: Chat = new ChatStore<Added>({
    state: { conversationId: id, messages, artifacts: [], busy: false },
    // Jobs are followed for the whole page, not only for the chat: see jobs/follow.ts.
    followJobs: false,
    async fetch(path, init = {}) {
      try {
        return await send(path as string, init, true)
      } catch (error) {
        if (init.signal?.aborted) throw error
        noteReached(false)
        throw new ChatFailure(NOT_SENT, 'unreachable')
      }
    },
    onApproval({ tool, component, arguments: args }, signal) {
      const { name } = model.get()
      const asker = `the model ${name || 'of the chat'}, in the conversation “${titleOf(chat)}”`
      return askPerson({ tool, component, arguments: args, asker }, signal)
    },
    onLine(line) {
      noteStep(chat, line)
      if (line.type === 'status') noteJob(line)
      else if (line.type === 'artifact') noteJob(line.artifact)
    },
  })
  keepSaved(chat, id, read)
  chat.subscribe(() => {
    if (chat === shown) publishSoon()
    noteAnswering()
  })
  chats.set(id, chat)
  return chat
}

function titleOf(chat: Chat): string {
  const id = [...chats].find(([, known]) => known === chat)?.[0] ?? ''
  const name = headNamed(id)?.name
  return name ?? chat.getState().messages[0]?.content.slice(0, 60) ?? 'Empty'
}

async function show(id: string): Promise<void> {
  const read = chats.has(id) ? undefined : await readConversation(id)
  shownId = id
  shown = openChat(id, read)
  notice.set(() => '')
  publish()
  noteAnswering()
}

/**
 * Once per frame while an answer arrives: its pieces come faster than they can be drawn. Everything else is shown at once.
 */
function publishSoon(): void {
  const { busy, messages } = shown.getState()
  const before = conversation.get()
  const isMore =
    busy &&
    before.busy &&
    shownId === before.conversationId &&
    messages.length === before.messages.length
  // A hidden page has no frames.
  if (!isMore || document.hidden) publish()
  else frame ??= requestAnimationFrame(publish)
}

let frame: number | undefined

export interface Answering {
  id: string
  title: string
}

/** The conversations other than the shown one whose answer is still arriving. */
export const answering = createStore<readonly Answering[]>([])

function noteAnswering(): void {
  const now = [...chats]
    .filter(([, chat]) => chat !== shown && chat.getState().busy)
    .map(([id, chat]) => ({ id, title: titleOf(chat) }))
  const ids = (list: readonly Answering[]) => list.map(({ id }) => id).join()
  answering.set((before) => (ids(before) === ids(now) ? before : now))
}

/** Stops the answer of a conversation. */
export function stopAnswer(id: string): void {
  chats.get(id)?.cancel()
}

/** Keeps the last status instead of a heartbeat, whose text says nothing. */
function publish(): void {
  if (frame !== undefined) cancelAnimationFrame(frame)
  frame = undefined
  const { status, ...state } = shown.getState()
  conversation.set((before) => ({
    ...state,
    conversationId: shownId,
    status: status?.step === 'waiting' ? before.status : status,
  }))
}

/** Opens this tab's conversation, or the newest that no other tab has open. Called once, before the first render. */
export async function openConversation(): Promise<void> {
  startSaving(moveToCopy)
  await openArchive()
  listen({ put: () => undefined, drop: closeDeleted, forget: () => undefined })
  const own = ownId()
  const newest = archive.get().list.map(({ id }) => id)
  for (const id of [...(own === null ? [] : [own]), ...newest]) {
    if (!(await claim(id))) continue
    if (id !== own && headNamed(id)?.ids.length === 0) continue
    await show(id)
    break
  }
  await keep()
}

function ownId(): string | null {
  try {
    return sessionStorage.getItem(OWN)
  } catch {
    // The browser blocks storage for this page.
    return null
  }
}

/** Starts an empty conversation; the previous one stays in the list. */
export async function newConversation(): Promise<void> {
  saveNow()
  await show(newKey())
  await keep()
}

/** @returns `false` if the conversation is open in another tab. */
export async function switchConversation(id: string): Promise<boolean> {
  if (!(await claim(id))) return false
  saveNow()
  await show(id)
  await keep()
  return true
}

/** Saved conversations, the newest first. */
export function newest(): Answering[] {
  return archive.get().list.map(({ id, name, title }) => ({ id, title: name ?? title }))
}

/** Adds a conversation that comes from elsewhere, and shows it. @returns its id. */
export async function addConversation(messages: readonly Message[]): Promise<string> {
  const id = newKey()
  const chat = openChat(id)
  for (const message of messages) chat.add({ ...message })
  await saveChat(chat)
  await switchConversation(id)
  return id
}

/** A conversation that was deleted, to take it back. */
export interface Deleted {
  title: string
  restore(): Promise<void>
}

/**
 * Deletes a conversation and stops its answer; its jobs go on.
 *
 * @returns `undefined`, and deletes nothing, if it is open in another tab.
 */
export async function deleteConversation(id: string): Promise<Deleted | undefined> {
  if (!(await claim(id))) return undefined
  const head = headNamed(id)
  const chat = openChat(id, chats.has(id) ? undefined : await readConversation(id))
  const title = titleOf(chat)
  drop(id)
  await removeConversation(id)
  if (shownId === id) await newConversation()
  return {
    title,
    async restore() {
      chats.set(id, chat)
      keepSaved(chat, id, undefined)
      await saveChat(chat)
      if (head?.name !== undefined) await renameConversation(id, head.name)
      await switchConversation(id)
    },
  }
}

function drop(id: string): void {
  const chat = chats.get(id)
  if (!chat) return
  stopSaving(chat)
  chat.cancel()
  chats.delete(id)
  noteAnswering()
}

/** Another tab has deleted it. */
function closeDeleted(id: string): void {
  drop(id)
  if (shownId !== id) return
  void newConversation().then(() => notice.set(() => DELETED))
}

const DELETED = 'The conversation that was here has been deleted in another tab.'
const COPIED =
  'This conversation was changed in another tab. Nothing is lost: this tab goes on in a copy.'

function moveToCopy(chat: Chat, copy: string): void {
  const [id] = [...chats].find(([, known]) => known === chat) ?? []
  if (id !== undefined) chats.delete(id)
  chats.set(copy, chat)
  if (chat !== shown) return
  shownId = copy
  publish()
  notice.set(() => COPIED)
  void keep()
}

/** Merges `change` into the page's own data about a message. */
export function changeData(chat: Chat, id: string, change: (data: Added) => Partial<Added>): void {
  chat.change(id, ({ data = {} }) => ({ data: { ...data, ...change(data) } }))
}

async function keep(): Promise<void> {
  try {
    sessionStorage.setItem(OWN, shownId)
  } catch {
    // Without session storage, a reload may open another conversation.
  }
  await claim(shownId)
}
