/**
 * Names, literals and comments of declarations. All of them come from components: none may end the comment or the string
 * that it is in, nor the block of Markdown around the declarations.
 */
import { isString } from 'ftl-contract'
import { escaped } from 'ftl-http'

const IDENTIFIER = /^[A-Za-z_$][\w$]{0,199}$/

/** A member name: quoted if it is not an identifier. */
export function memberName(name: string): string {
  return IDENTIFIER.test(name) ? name : stringLiteral(name)
}

export function stringLiteral(text: string): string {
  return JSON.stringify(text.toWellFormed()).replace(/[`\u007f-\u009f\u2028\u2029]/g, escaped)
}

/** Characters of one comment. */
const LONGEST_COMMENT = 1_000

/** The lines of a comment, indented; empty without a text. */
export function comment(lines: readonly string[], indent: string): string {
  const text = lines.filter((line) => line !== '').join('\n')
  if (text === '') return ''
  const all = safeComment(text).split('\n')
  return all.length === 1
    ? `${indent}/** ${all[0] as string} */\n`
    : `${indent}/**\n${all.map((line) => `${indent} * ${line}`.trimEnd()).join('\n')}\n${indent} */\n`
}

/** Cut, and without what ends a comment, a fence or a line in an unusual way. */
function safeComment(text: string): string {
  const cut = text.length > LONGEST_COMMENT ? `${text.slice(0, LONGEST_COMMENT - 1)}…` : text
  return cut
    .toWellFormed()
    .trim()
    .replace(/\r\n?|[\u0085\u2028\u2029\v\f]/g, '\n')
    .replace(/[\u0000-\u0009\u000e-\u001f\u007f-\u009f]+/g, ' ')
    .replace(/\*(?=\/)/g, '* ')
    .replace(/`{3,}/g, "'''")
    .replace(/\n{2,}/g, '\n')
}

/** Keywords that a type cannot express, as tags of a comment. */
const TAGS = [
  ...[
    'format',
    'pattern',
    'minimum',
    'maximum',
    'exclusiveMinimum',
    'exclusiveMaximum',
    'multipleOf',
  ],
  ...['minLength', 'maxLength', 'minItems', 'maxItems', 'uniqueItems', 'default'],
]

/** Characters of one tag. */
const LONGEST_TAG = 120

/** What a schema states about a value beside its type. */
export function remarks(schema: Readonly<Record<string, unknown>>): string[] {
  const { description, title, deprecated, type } = schema
  const text = isString(description) ? description : isString(title) ? title : ''
  const tags = TAGS.filter((tag) => Object.hasOwn(schema, tag)).map((tag) => {
    const value = schema[tag]
    const shown = isString(value) && tag !== 'default' ? value : (JSON.stringify(value) ?? '')
    return `@${tag} ${shown.replace(/\s+/g, ' ').slice(0, LONGEST_TAG)}`
  })
  return [
    text,
    ...(type === 'integer' ? ['@type integer'] : []),
    ...tags,
    ...(deprecated === true ? ['@deprecated'] : []),
  ]
}
