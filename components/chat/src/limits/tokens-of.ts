/** How many tokens a turn took. */
import type { Message, Turn } from '../model/messages.ts'

/** For English text, as the makers of models say. */
const CHARACTERS_PER_TOKEN = 4

/** About as much as a model counts for a picture of medium size. */
const TOKENS_PER_IMAGE = 1000

/** As the server counted, else estimated from the text. */
export function tokensOf(messages: readonly Message[], { content, calls, tokens }: Turn): number {
  if (tokens !== undefined) return tokens
  let characters = content.length
  let images = 0
  for (const call of calls) characters += call.name.length + call.arguments.length
  for (const message of messages) {
    characters += message.content.length
    if (message.role === 'user') images += message.images.length
  }
  return Math.ceil(characters / CHARACTERS_PER_TOKEN) + images * TOKENS_PER_IMAGE
}

/** A number of tokens that a server sent; `undefined` for anything else. */
export function counted(...numbers: unknown[]): number | undefined {
  const all = numbers.filter(
    (value): value is number => Number.isSafeInteger(value) && Number(value) >= 0,
  )
  return all.length === 0 ? undefined : all.reduce((sum, value) => sum + value, 0)
}
