/** The conversation of this tab: kept in the browser, the same after a reload. */
import { load, save, savedKeys } from '../saved.ts'
import { asArray, asRecord, text } from '../net/api.ts'
import { newKey } from '../jobs/call.ts'
import { createStore } from '../store.ts'

/** A call of a tool that the user made without a model. */
export interface DirectCall {
  tool: string
  arguments: Record<string, unknown>
  /** Sending the call again with the same key returns the same job. */
  key: string
}

export interface Message {
  id: string
  role: 'user' | 'assistant'
  text: string
  /** The newest status line, until the answer ends. */
  status?: string
  isOpen?: boolean
  /** Jobs shown as cards, in the order they were started. */
  jobs?: string[]
  /** A tool's result that came without a job. */
  result?: unknown
  /** Pictures and links that came without a job. */
  artifacts?: Artifact[]
  call?: DirectCall
  /** Names of attached files. */
  attached?: string[]
  error?: string
}

export interface Artifact {
  url: string
  title: string
  mimeType: string
}

export interface Conversation {
  id: string
  messages: readonly Message[]
}

const KEY = 'chat.'
const OWN = 'ftl.chat'
/** Maximum number of messages per conversation, and of conversations. */
const MOST_MESSAGES = 100
const MOST_CONVERSATIONS = 10

export const conversation = createStore<Conversation>({ id: newKey(), messages: [] })

/** Opens this tab's conversation, or the newest that no other tab has open. Called once, before the first render. */
export async function openConversation(): Promise<void> {
  const own = ownId()
  const candidates = [...(own === null ? [] : [own]), ...newest().map(({ id }) => id)]
  for (const id of candidates) {
    if (!(await claim(id))) continue
    const messages = readMessages(load(KEY + id))
    if (messages.length > 0 || id === own) {
      conversation.set(() => ({ id, messages }))
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
  conversation.set(() => ({ id: newKey(), messages: [] }))
  await keep()
}

/** @returns `false` if the conversation is open in another tab. */
export async function switchConversation(id: string): Promise<boolean> {
  if (id !== conversation.get().id && !(await claim(id))) return false
  conversation.set(() => ({ id, messages: readMessages(load(KEY + id)) }))
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
    .map(({ id, saved }) => ({ id, title: readMessages(saved)[0]?.text.slice(0, 60) ?? 'Empty' }))
}

export function addMessage(message: Omit<Message, 'id'>): string {
  const id = newKey()
  update((messages) => [...messages, { id, ...message }])
  return id
}

export function changeMessage(id: string, change: (message: Message) => Partial<Message>): void {
  update((messages) =>
    messages.map((message) => (message.id === id ? { ...message, ...change(message) } : message)),
  )
}

function update(change: (messages: readonly Message[]) => readonly Message[]): void {
  conversation.set(({ id, messages }) => ({ id, messages: change(messages).slice(-MOST_MESSAGES) }))
  scheduleSave()
}

let timer: ReturnType<typeof setTimeout> | undefined
const SAVE_MS = 250

// An answer arrives in hundreds of pieces, so do not save each one.
function scheduleSave(): void {
  timer ??= setTimeout(saveNow, SAVE_MS)
}
addEventListener('pagehide', saveNow)

function saveNow(): void {
  clearTimeout(timer)
  timer = undefined
  const { id, messages } = conversation.get()
  if (messages.length === 0) return
  save(KEY + id, { at: Date.now(), messages })
  for (const { id: old } of newest().slice(MOST_CONVERSATIONS)) save(KEY + old, undefined)
}

async function keep(): Promise<void> {
  const { id } = conversation.get()
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

/** An answer that was open when the page closed cannot end, so it becomes an error, unless it has jobs to follow. */
function readMessages(value: unknown): Message[] {
  return asArray(asRecord(value)['messages']).flatMap((entry) => {
    const message = asRecord(entry)
    if (typeof message['id'] !== 'string' || text(message['text']) === undefined) return []
    const { isOpen, status, ...rest } = message as unknown as Message
    if (!isOpen) return [rest]
    const hasJobs = (rest.jobs ?? []).length > 0
    return [{ ...rest, ...(!hasJobs && { error: 'The page was closed before the answer came.' }) }]
  })
}
