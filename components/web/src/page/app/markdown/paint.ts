/** Colours of code, by the tokenizer of Prism. Its tokens become elements: Prism itself would insert markup. */
import { type ComponentChildren, h } from 'preact'
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

type Piece = string | { type: string; content: Piece | Piece[] }

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
export function paint(code: string, language: string): ComponentChildren {
  const name = language.toLowerCase()
  const { languages } = Prism
  const known = NAMES.get(name) ?? name
  // Own properties only: the name comes from the model.
  if (!Object.hasOwn(languages, known)) return undefined
  const grammar = languages[known]
  return typeof grammar === 'object' ? nodesOf(Prism.tokenize(code, grammar)) : undefined
}

function nodesOf(pieces: Piece | Piece[]): ComponentChildren {
  if (typeof pieces === 'string') return pieces
  if (Array.isArray(pieces)) return pieces.map(nodesOf)
  return h('span', { class: `t-${pieces.type}` }, nodesOf(pieces.content))
}
