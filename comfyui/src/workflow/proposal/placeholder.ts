/** Texts that stand for a value in workflows that other programs fill in: `PARAM_INT_STEPS`, `%seed%`, `{{cfg}}`, `__WIDTH__`. */
import type { FieldType } from '../field.ts'

export interface Placeholder {
  name: string
  /** If it says one. */
  type?: FieldType
}

const FORMS = [
  /^PARAM_(?:(INT|FLOAT|STR|STRING|BOOL|BOOLEAN)_)?(\w+)$/,
  /^()%(\w+)%$/,
  /^()\{\{\s*(\w+)\s*\}\}$/,
  /^()\$?\{(\w+)\}$/,
  /^()__([A-Z]\w*?)__$/,
]
const TYPES: Readonly<Record<string, FieldType>> = {
  ...{ INT: 'integer', FLOAT: 'number', BOOL: 'boolean', BOOLEAN: 'boolean' },
  ...{ STR: 'string', STRING: 'string' },
}

export function placeholderOf(value: unknown): Placeholder | undefined {
  if (typeof value !== 'string') return undefined
  for (const form of FORMS) {
    const [, type = '', name] = form.exec(value) ?? []
    if (name === undefined) continue
    return { name: name.toLowerCase(), ...(TYPES[type] && { type: TYPES[type] }) }
  }
  return undefined
}
