/**
 * Markdown as tokens, by the lexer of `marked`. An answer grows by a few characters at a time, so only its end is read
 * again: what has two blocks behind it hardly ever changes. In odd texts it does, so a complete answer is read as a whole.
 */
import { Lexer, type Token } from 'marked'

export interface Parsed {
  text: string
  /** Top-level tokens. One that has not changed is the same object as before. */
  blocks: readonly Token[]
  /** Definitions of links, such as `[a]: https://a.example`. */
  hasDefinitions: boolean
}

/** Blocks at the end that more text may change. */
const OPEN_BLOCKS = 2

/** @param before of the same text when it was shorter. */
export function parse(text: string, before?: Parsed): Parsed {
  if (before?.text === text) return before
  return (before && text.startsWith(before.text) && grown(text, before)) || whole(text)
}

function whole(text: string): Parsed {
  const tokens = new Lexer({ gfm: true }).lex(text)
  return { text, blocks: tokens, hasDefinitions: Object.keys(tokens.links).length > 0 }
}

function grown(text: string, { blocks, hasDefinitions }: Parsed): Parsed | undefined {
  const kept = blocks.slice(0, -OPEN_BLOCKS)
  const last = kept.at(-1)?.raw
  // A definition applies to the text before it, too.
  if (last === undefined || hasDefinitions) return undefined
  const start = kept.reduce((sum, { raw }) => sum + raw.length, 0)
  // The lexer changes line ends, so lengths may differ from those of the text.
  if (!text.startsWith(last, start - last.length)) return undefined
  const tail = whole(text.slice(start))
  return tail.hasDefinitions ? undefined : { ...tail, text, blocks: [...kept, ...tail.blocks] }
}
