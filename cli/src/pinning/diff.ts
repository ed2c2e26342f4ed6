/** What differs between two sets of pins, in lines for people. */
import { canonicalJson, type ComponentPins, isObject, PINNED_KINDS } from 'ftl-contract'
import { paint } from '../terminal/ui.ts'

/** Lines of one entry: a schema may have thousands of values. */
const MAX_LINES = 40

const WHAT = {
  tools: 'tool',
  prompts: 'prompt',
  resources: 'resource',
  resourceTemplates: 'resource template',
}

/** @returns no line when nothing differs. */
export function diffOf(before: ComponentPins | undefined, after: ComponentPins): string[] {
  const lines: string[] = []
  for (const kind of PINNED_KINDS) {
    const [old = {}, now = {}] = [before?.[kind], after[kind]]
    for (const name of new Set([...Object.keys(old), ...Object.keys(now)])) {
      const was = Object.hasOwn(old, name) ? old[name] : undefined
      const is = Object.hasOwn(now, name) ? now[name] : undefined
      if (was?.digest === is?.digest) continue
      const sign = !was ? paint('green', '+') : !is ? paint('red', '-') : paint('yellow', '~')
      lines.push(`${sign} ${WHAT[kind]} ${shown(name)}`)
      if (is) lines.push(...changes(was?.published, is.published).map((text) => `    ${text}`))
    }
  }
  if (before?.wasm !== after.wasm) lines.push(fileLine(before?.wasm, after.wasm))
  return lines
}

function fileLine(before: string | undefined, after: string | undefined): string {
  if (before === undefined) return `${paint('green', '+')} file ${short(after)}`
  if (after === undefined) return `${paint('red', '-')} file ${short(before)}`
  return `${paint('yellow', '~')} file ${short(before)} → ${short(after)}`
}

const short = (digest = 'none') => digest.slice(0, 12)

/** One line for each value that was added, removed or changed. */
function changes(before: unknown, after: unknown): string[] {
  const [old, now] = [leaves(before), leaves(after)]
  const lines: string[] = []
  for (const path of new Set([...old.keys(), ...now.keys()])) {
    const [was, is] = [old.get(path), now.get(path)]
    if (was === is) continue
    // Of a new entry, only what a model reads as text.
    if (before === undefined && (path === 'name' || !isText(path, is))) continue
    if (was !== undefined) lines.push(paint('red', `- ${path}: ${was}`))
    if (is !== undefined) lines.push(paint('green', `+ ${path}: ${is}`))
  }
  const more = lines.length - MAX_LINES
  return more > 0 ? [...lines.slice(0, MAX_LINES), `and ${more} more lines`] : lines
}

/** Characters up to which a value of a schema is a word, such as one of an enum. */
const WORD = 40

function isText(path: string, value = ''): boolean {
  if (/^(title|description|annotations\b)|\.(title|description)$/.test(path)) return true
  return value.startsWith('"') && value.length > WORD && !path.endsWith('$schema')
}

/** Each value by its path; an empty object or list is a value. */
function leaves(value: unknown, path = '', found = new Map<string, string>()): Map<string, string> {
  const members = isObject(value)
    ? Object.entries(value)
    : Array.isArray(value)
      ? value.entries()
      : []
  let isEmpty = true
  for (const [name, member] of members) {
    isEmpty = false
    const step =
      typeof name === 'number' ? `[${name}]` : path === '' ? shownName(name) : `.${shownName(name)}`
    leaves(member, path + step, found)
  }
  if (isEmpty && value !== undefined) found.set(path, shown(canonicalJson(value)))
  return found
}

const shownName = (name: string) => (/^[\w$-]+$/.test(name) ? name : shown(JSON.stringify(name)))

/** Every character that a terminal or a person does not show, as its code: the texts come from the component. */
function shown(text: string): string {
  return text.replace(
    /[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Zl}\p{Zp}\p{Cs}]/gu,
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  )
}
