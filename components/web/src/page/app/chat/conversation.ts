/** The conversations of this browser, each in a {@link ChatStore} that is saved and restored after a reload. */
import { ChatFailure, type ChatMessage, type ChatState, ChatStore } from 'ftl-client/chat'
import { askPerson } from '../approval/approvals.ts'
import { newKey } from '../jobs/call.ts'
import { noteJob } from '../jobs/known-jobs.ts'
import { asArray, asRecord, text } from '../net/api.ts'
import { load, save, savedKeys, saveText, toSaved } from '../saved.ts'
import { send } from '../sign-in/session.ts'
import { noteReached } from '../net/reach.ts'
import { createStore } from '../store.ts'
import { model } from './settings.ts'

/** A call of a tool that the user made without a model. */
export interface DirectCall {
  tool: string
  arguments: Record<string, unknown>
  /** Sending the call again with the same key returns the same job. */
  key: string
}

/** What this page adds to a message of the chat. */
export interface Added {
  /** Jobs that the chat did not start: of a direct call, and variations of other jobs. */
  jobs?: string[]
  /** A direct call's result that came without a job. */
  result?: unknown
  call?: DirectCall
  /** Names of attached files. */
  attached?: string[]
}

export type Message = ChatMessage<Added>

const NOT_SENT = 'The gateway could not be reached, so this was not sent.'
const KEY = 'chat.'
const OWN = 'ftl.chat'
/** Maximum number of messages that are saved per conversation, and of saved conversations. */
const MOST_MESSAGES = 100
const MOST_CONVERSATIONS = 10

/** The chats of this tab by the conversation's id; those that are not shown receive the rest of their answer. */
const chats = new Map<string, ChatStore<Added>>()
let shown = openChat(newKey())

/** The state of the conversation that is shown. */
export const conversation = createStore<ChatState<Added>>(shown.getState())

/** The chat of the conversation that is shown. */
export function currentChat(): ChatStore<Added> {
  return shown
}

function openChat(id: string): ChatStore<Added> {
  const known = chats.get(id)
  if (known) return known
  const messages = readMessages(load(KEY + id))
  const chat = new ChatStore<Added>({
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
      const asker = `the model ${name || 'of the chat'}, in the conversation “${titleOf(id)}”`
      return askPerson({ tool, component, arguments: args, asker }, signal)
    },
    onLine(line) {
      if (line.type === 'status') noteJob(line)
      else if (line.type === 'artifact') noteJob(line.artifact)
    },
  })
  chat.subscribe(() => {
    scheduleSave(chat)
    if (chat === shown) publishSoon()
    noteAnswering()
  })
  chats.set(id, chat)
  return chat
}

function titleOf(id: string): string {
  const { messages = [] } = chats.get(id)?.getState() ?? {}
  return messages[0]?.content.slice(0, 60) ?? 'Empty'
}

function show(id: string): void {
  shown = openChat(id)
  publish()
  noteAnswering()
}

/**
 * Once per frame while an answer arrives: its pieces come faster than they can be drawn. Everything else is shown at once.
 */
function publishSoon(): void {
  const { busy, messages, conversationId } = shown.getState()
  const before = conversation.get()
  const isMore =
    busy &&
    before.busy &&
    conversationId === before.conversationId &&
    messages.length === before.messages.length
  // A hidden page has no frames.
  if (!isMore || document.hidden) publish()
  else frame ??= requestAnimationFrame(publish)
}

let frame: number | undefined

/** The conversations other than the shown one whose answer is still arriving. */
export const answering = createStore<readonly Earlier[]>([])

function noteAnswering(): void {
  const now = [...chats]
    .filter(([, chat]) => chat !== shown && chat.getState().busy)
    .map(([id]) => ({ id, title: titleOf(id) }))
  const ids = (list: readonly Earlier[]) => list.map(({ id }) => id).join()
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
    status: status?.step === 'waiting' ? before.status : status,
  }))
}

/** Opens this tab's conversation, or the newest that no other tab has open. Called once, before the first render. */
export async function openConversation(): Promise<void> {
  const own = ownId()
  const candidates = [...(own === null ? [] : [own]), ...newest().map(({ id }) => id)]
  for (const id of candidates) {
    if (!(await claim(id))) continue
    if (id === own || readMessages(load(KEY + id)).length > 0) {
      show(id)
      break
    }
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

/** Starts an empty conversation; the previous one stays in {@link newest}. */
export async function newConversation(): Promise<void> {
  saveNow()
  forgetOldest()
  show(newKey())
  await keep()
}

/** @returns `false` if the conversation is open in another tab. */
export async function switchConversation(id: string): Promise<boolean> {
  if (!(await claim(id))) return false
  show(id)
  await keep()
  return true
}

export interface Earlier {
  id: string
  title: string
}

/** Saved conversations, the newest first. */
export function newest(): Earlier[] {
  return savedKeys(KEY)
    .map((id) => ({ id, saved: asRecord(load(KEY + id)) }))
    .sort((a, b) => Number(b.saved['at'] ?? 0) - Number(a.saved['at'] ?? 0))
    .map(({ id, saved }) => ({
      id,
      title: readMessages(saved)[0]?.content.slice(0, 60) ?? 'Empty',
    }))
}

/** The jobs that are shown as cards, in the order in which they began. */
export function jobsOf({ calls, artifacts, data }: Message): string[] {
  const ids = [...calls, ...artifacts].flatMap(({ jobId }) => jobId ?? [])
  return [...new Set([...ids, ...(data?.jobs ?? [])])]
}

/** Why the answer is incomplete, for the user. */
export function errorOf(message: Message): string | undefined {
  const { state, error, calls } = message
  if (error) return error.message
  if (state === 'cancelled') return 'Stopped.'
  if (state === 'broken' && calls.some(({ step, done }) => step === 'approval' && !done)) {
    return 'The page was closed before you decided. The call was not run.'
  }
  // The jobs of such an answer are still followed, and their cards show how they end.
  if (state !== 'broken' || jobsOf(message).length > 0) return undefined
  return 'The page was closed before the answer came.'
}

/** Merges `change` into the page's own data about a message. */
export function changeData(
  chat: ChatStore<Added>,
  id: string,
  change: (data: Added) => Partial<Added>,
): void {
  chat.change(id, ({ data = {} }) => ({ data: { ...data, ...change(data) } }))
}

const unsaved = new Set<ChatStore<Added>>()
let timer: ReturnType<typeof setTimeout> | undefined
const SAVE_MS = 1_000

// An answer arrives in hundreds of pieces, so do not save each one.
function scheduleSave(chat: ChatStore<Added>): void {
  unsaved.add(chat)
  timer ??= setTimeout(saveNow, SAVE_MS)
}

/** Of messages that have not changed since: a long conversation is not converted again for each new piece. */
const converted = new WeakMap<Message, string>()

function toText(message: Message): string {
  const text = converted.get(message) ?? toSaved(message)
  converted.set(message, text)
  return text
}
addEventListener('pagehide', saveNow)

function saveNow(): void {
  clearTimeout(timer)
  timer = undefined
  for (const chat of unsaved) {
    const { conversationId, messages } = chat.getState()
    const texts = messages.slice(-MOST_MESSAGES).map(toText)
    saveText(`${KEY}${conversationId}`, `{"at":${Date.now()},"messages":[${texts.join()}]}`)
  }
  unsaved.clear()
}

function forgetOldest(): void {
  for (const { id } of newest().slice(MOST_CONVERSATIONS)) save(KEY + id, undefined)
}

async function keep(): Promise<void> {
  const { conversationId: id = '' } = shown.getState()
  try {
    sessionStorage.setItem(OWN, id)
  } catch {
    // Without session storage, a reload may open another conversation.
  }
  await claim(id)
}

const claimed = new Set<string>()

/** Locks a conversation for this tab: two tabs that write one conversation would overwrite each other's messages. */
async function claim(id: string): Promise<boolean> {
  if (claimed.has(id) || !('locks' in navigator)) return true
  const isFree = await new Promise<boolean>((resolve) => {
    void navigator.locks.request(`ftl.chat.${id}`, { ifAvailable: true }, (lock) => {
      resolve(lock !== null)
      // Held until the tab is closed.
      return lock === null ? undefined : new Promise(() => {})
    })
  })
  if (isFree) claimed.add(id)
  return isFree
}

function readMessages(value: unknown): Message[] {
  return asArray(asRecord(value)['messages']).flatMap((entry) => {
    const { id, content, artifacts, calls } = asRecord(entry)
    if (typeof id !== 'string' || text(content) === undefined) return []
    return Array.isArray(artifacts) && Array.isArray(calls) ? [entry as Message] : []
  })
}
