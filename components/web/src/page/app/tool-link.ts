/** The address of a tool's form, filled with arguments. Passwords have no place in an address. */
import { withoutSecrets } from './form/schema/secrets.ts'
import type { Tool } from './net/tools.ts'

export function toolLink(
  tool: string,
  args: Record<string, unknown>,
  tools: readonly Tool[],
): string {
  const schema = tools.find(({ name }) => name === tool)?.inputSchema
  const base = `#/tools/${encodeURIComponent(tool)}`
  // Of a tool that is not known, any argument could be a password.
  if (!schema) return base
  return `${base}?args=${encodeURIComponent(JSON.stringify(withoutSecrets(schema, args)))}`
}
