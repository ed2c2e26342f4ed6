/** The address of a tool's form, filled with arguments. Passwords have no place in an address. */
import { asRecord } from './net/api.ts'
import { catalog } from './net/tools.ts'

export function toolLink(tool: string, args: Record<string, unknown>): string {
  const schema = catalog.get().tools.find(({ name }) => name === tool)?.inputSchema
  const base = `#/tools/${encodeURIComponent(tool)}`
  // Of a tool that is not known, any argument could be a password.
  if (!schema) return base
  const properties = asRecord(schema['properties'])
  const shown = Object.entries(args).filter(([name]) => !isSecret(asRecord(properties[name])))
  return `${base}?args=${encodeURIComponent(JSON.stringify(Object.fromEntries(shown)))}`
}

function isSecret({ format, writeOnly }: Record<string, unknown>): boolean {
  return format === 'password' || writeOnly === true
}
