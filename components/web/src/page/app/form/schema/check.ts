/** Everything that is wrong with a form's value, by the rules that the gateway itself uses. */
import { validate } from 'ftl-gateway/schema'
import type { FieldProblem } from '../../net/api.ts'
import { cleaned, isObject } from './values.ts'

const NOT_JSON = 'is not JSON: write objects as {"name": "value"} and lists as ["a", "b"]'

export interface Checked {
  args: Record<string, unknown>
  problems: FieldProblem[]
}

export function checked(schema: unknown, typed: unknown): Checked {
  const { value, unreadable } = cleaned(typed)
  const args = isObject(value) ? value : {}
  const problems = unreadable.map((path) => ({ path, message: NOT_JSON }))
  const broken = isObject(schema) ? brokenRules(schema, args) : []
  const isNew = ({ path }: FieldProblem) => !unreadable.includes(path)
  return { args, problems: [...problems, ...broken.filter(isNew).map(inWords)] }
}

function brokenRules(schema: Record<string, unknown>, args: unknown): FieldProblem[] {
  try {
    return validate(schema, args)
  } catch {
    // The schema itself is wrong: the gateway says how when the tool is called.
    return []
  }
}

function inWords({ path, message }: FieldProblem): FieldProblem {
  return { path, message: message === 'is required' ? 'is needed' : message }
}

/** The path of a problem as the form has it; other servers write `/size/width`. */
export function fieldPath(path: string): string {
  if (!path.startsWith('/')) return path
  return path
    .slice(1)
    .split('/')
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce((whole, token) => {
      if (/^\d+$/.test(token)) return `${whole}[${token}]`
      return whole === '' ? token : `${whole}.${token}`
    }, '')
}
