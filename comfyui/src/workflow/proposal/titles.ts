/** Names that authors give to nodes, as names of fields. */
import type { NodeText } from '../workflow-text.ts'
import { englishOf } from './input-words.ts'
import { canonicalName } from './known-inputs.ts'

export interface Title {
  name: string
  description: string
  /** The author says so. */
  required?: boolean
}

/** `$steps.value!:How many`, as Pixelle names parameters. */
const PARAMETER = /^[$~]([A-Za-z]\w*)(?:\.[\w.]+)?(!)?(?::(.*))?$/s
/** `Int (Width)`: what the editor calls the class, and the author's name in it. */
const IN_BRACKETS = /^[A-Za-z ]{1,24}[(（](?:Multiline\s*-?\s*)?([^)）]*)[)）]\s*$/
/** What the editor calls primitives by itself. */
const BY_DEFAULT = new Set([
  ...['int', 'integer', 'float', 'boolean', 'string', 'string_multiline', 'multiline', 'value'],
  ...['primitive', 'number', 'constant', 'text', 'text_multiline', 'text_string', 'input_text'],
])
const MAX_LENGTH = 40

/** @returns `undefined` for a title that says nothing beyond the class. */
export function titleOf({ title, classType }: NodeText): Title | undefined {
  if (title === undefined || title === classType) return undefined
  const [, parameter, mark, said] = PARAMETER.exec(title.trim()) ?? []
  if (parameter !== undefined) {
    const description = said?.trim() ?? ''
    return { name: parameter, description: description || parameter, required: mark === '!' }
  }
  const own = (IN_BRACKETS.exec(title)?.[1] ?? title).trim()
  const name = englishOf(own) ?? toName(own)
  if (name === '' || BY_DEFAULT.has(name) || name === toName(classType)) return undefined
  return { name: canonicalName(name), description: own }
}

/** Words in lower case. @returns an empty text for one of another script. */
export function toName(title: string): string {
  const name = title.toLowerCase().replace(/[^a-z0-9]+/g, '_')
  return name.replace(/^_+|_+$/g, '').slice(0, MAX_LENGTH)
}
