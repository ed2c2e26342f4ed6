/** Code in pieces, by the tokenizer of Prism. The page makes elements of them: Prism itself would insert markup. */
import './prism-manual.ts'
import Prism from 'prismjs/components/prism-core.js'
import './prism-global.ts'
import 'prismjs/components/prism-clike.js'
import 'prismjs/components/prism-javascript.js'
import 'prismjs/components/prism-typescript.js'
import 'prismjs/components/prism-markup.js'
import 'prismjs/components/prism-json.js'
import 'prismjs/components/prism-python.js'
import 'prismjs/components/prism-bash.js'

export type Piece = string | { type: string; content: Piece | Piece[] }

/** What models call the six languages. */
const NAMES = new Map([
  ['js', 'javascript'],
  ['jsx', 'javascript'],
  ['mjs', 'javascript'],
  ['ts', 'typescript'],
  ['tsx', 'typescript'],
  ['py', 'python'],
  ['sh', 'bash'],
  ['shell', 'bash'],
  ['zsh', 'bash'],
  ['console', 'bash'],
  ['html', 'markup'],
  ['xml', 'markup'],
  ['svg', 'markup'],
  ['jsonc', 'json'],
  ['json5', 'json'],
])

/** @returns `undefined` for a language that is not known. */
export function paint(code: string, language: string): Piece[] | undefined {
  const name = language.toLowerCase()
  const { languages } = Prism
  const known = NAMES.get(name) ?? name
  // Own properties only: the name comes from the model.
  if (!Object.hasOwn(languages, known)) return undefined
  const grammar = languages[known]
  return typeof grammar === 'object' ? Prism.tokenize(code, grammar) : undefined
}
