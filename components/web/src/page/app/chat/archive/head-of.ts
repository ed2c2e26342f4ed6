/** What the list and the search know of a conversation. */
import type { Head } from './database.ts'

const LONGEST_TITLE = 80
/** Characters of the user's messages that can be searched. */
const MOST_WORDS = 4_000

/** A message as it is stored. */
export interface Written {
  id: string
  json: string
  /** What the user wrote; empty for an answer. */
  said: string
}

export function headOf(id: string, messages: readonly Written[]): Omit<Head, 'revision'> {
  let words = ''
  for (const { said } of messages) {
    if (words.length > MOST_WORDS) break
    if (said !== '') words += `${said.slice(0, MOST_WORDS)}\n`
  }
  return {
    id,
    title: titleFrom(words),
    at: Date.now(),
    words: words.slice(0, MOST_WORDS),
    ids: messages.map((message) => message.id),
  }
}

/** The beginning of the first line. */
function titleFrom(words: string): string {
  return words.trim().split('\n', 1)[0]?.slice(0, LONGEST_TITLE).trim() ?? ''
}
