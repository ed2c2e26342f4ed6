/** Asks the user at the terminal what a tool asks for in the middle of a call. */
import { createInterface } from 'node:readline/promises'
import { escaped, type Terminal } from '../terminal/terminal.ts'
import { visible, visibleLines } from '../terminal/visible-text.ts'
import { type Field, fieldsOf, readField } from './fields.ts'

/** The user's answer to a form. */
export type FormAnswer = {
  action: 'accept' | 'decline' | 'cancel'
  content?: Record<string, string | number | boolean | string[]>
}

export interface Form {
  message?: unknown
  requestedSchema?: unknown
}

type Put = (text: string) => void

const TAKES = 'Enter takes what is in brackets.'
const DECLINES = 'Ctrl-D declines.'

/** One question for each field, each repeated until its answer fits. */
export async function askUser(form: Form, { input, output }: Terminal): Promise<FormAnswer> {
  const put: Put = (text) => void output.write(escaped(text))
  const print = (text: string) => put(`${text}\n`)
  const fields = fieldsOf(form.requestedSchema)
  const message = typeof form.message === 'string' ? form.message : 'The tool asks for input.'
  // Indented, so that no line of it looks like one of ours.
  print(`? ${visibleLines(message).replaceAll('\n', '\n    ')}`)
  print(`  ${fields.length > 0 ? `${TAKES} ` : ''}${DECLINES}`)
  const terminal = createInterface({ input, output })
  let action: FormAnswer['action'] = 'decline'
  terminal.once('SIGINT', () => {
    action = 'cancel'
    terminal.close()
  })
  const lines = linesOf(terminal)
  const content: NonNullable<FormAnswer['content']> = {}
  try {
    if (fields.length === 0 && !(await agrees(lines, put))) return { action: 'decline' }
    for (const field of fields) {
      const value = await askField(field, lines, put)
      if (value !== undefined) content[field.name] = value as string
    }
    return { action: 'accept', content }
  } catch (error) {
    if (!(error instanceof InputEnded)) throw error
    print('')
    return { action }
  } finally {
    terminal.close()
  }
}

/** A form without fields asks for agreement only. */
async function agrees(lines: Lines, put: Put): Promise<boolean> {
  for (;;) {
    put('  Go on? (y/N) ')
    const typed = await lines.next()
    if (/^\s*(y|yes)\s*$/i.test(typed)) return true
    // Enter alone approves nothing.
    if (/^\s*(n|no)?\s*$/i.test(typed)) return false
  }
}

async function askField(field: Field, lines: Lines, put: Put): Promise<unknown> {
  const { title, description, isRequired, choices } = field
  const hint = hintOf(field)
  if (description !== undefined) put(`  ${visible(description)}\n`)
  for (const [index, choice] of choices.entries()) {
    put(`    ${index + 1}  ${visible(choice.title)}\n`)
  }
  for (;;) {
    put(`  ${visible(title)}${hint}: `)
    const typed = await lines.next()
    if (typed.trim() === '') {
      // The client adds the default of a field that is left out.
      if (field.default !== undefined || !isRequired) return undefined
      put('  This field is required.\n')
      continue
    }
    const read = readField(field, typed)
    if ('value' in read) return read.value
    put(`  Please ${read.problem}.\n`)
  }
}

function hintOf({ kind, isRequired, default: value }: Field): string {
  const what =
    kind === 'boolean' ? ' (yes or no)' : kind === 'choices' ? ' (separated by commas)' : ''
  if (value !== undefined) return `${what} [${visible(shown(value))}]`
  return isRequired ? what : `${what} [nothing]`
}

function shown(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (typeof value === 'string') return value
  return Array.isArray(value) ? value.join(', ') : JSON.stringify(value)
}

class InputEnded extends Error {
  override readonly name = 'InputEnded'
}

interface Lines {
  /** @throws {InputEnded} when the user closed the input. */
  next(): Promise<string>
}

/** Keeps lines that arrive before a question asks for them, for example when a user pastes several. */
function linesOf(terminal: ReturnType<typeof createInterface>): Lines {
  const iterator = terminal[Symbol.asyncIterator]()
  return {
    async next() {
      const { done, value } = await iterator.next()
      if (done) throw new InputEnded()
      return value
    },
  }
}
