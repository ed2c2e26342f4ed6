/** Sends a message again. What it replaces can be taken back. */
import { createStore } from '../store.ts'
import { type Chat, currentChat } from './tab-conversations.ts'
import type { Message } from './message.ts'
import { ask } from './send.ts'
import { callInChat } from './slash.ts'

interface Replaced {
  chat: Chat
  messages: readonly Message[]
  /** Number of messages before them. */
  kept: number
}

/** The messages that were replaced last. */
export const replaced = createStore<Replaced | undefined>(undefined)

/** Takes a message and all that follow out of the conversation. */
export function takeFrom(id: string): void {
  const chat = currentChat()
  const { messages } = chat.getState()
  const place = messages.findIndex((message) => message.id === id)
  if (place < 0) return
  chat.cancel()
  const gone = messages.slice(place)
  chat.remove(...gone.map((message) => message.id))
  replaced.set(() => ({ chat, messages: gone, kept: place }))
}

/** Puts the replaced messages in the place of those that have replaced them. */
export function takeBack(): void {
  const last = replaced.get()
  replaced.set(() => undefined)
  if (!last) return
  const { chat, messages, kept } = last
  chat.cancel()
  const later = chat.getState().messages.slice(kept)
  chat.remove(...later.map(({ id }) => id))
  for (const message of messages) chat.add({ ...message })
}

/** Makes the answer again: to the same words, or with the same arguments. */
export async function regenerate(id: string): Promise<void> {
  const { messages } = currentChat().getState()
  const place = messages.findIndex((message) => message.id === id)
  const question = messages.slice(0, place).findLast(({ role }) => role === 'user')
  if (!question) return
  const call = messages[place]?.data?.call
  takeFrom(question.id)
  if (call) await callInChat(call.tool, call.arguments)
  else await ask(question.content, [])
}

export async function continueAnswer(): Promise<void> {
  await ask('Continue exactly where you stopped.', [])
}
