/**
 * What makes a provider of models refuse a request with such a tool, and with it all tools, by the errors that people report.
 *
 * - Anthropic: "Property keys should match pattern", "input_schema does not support oneOf, allOf, or anyOf at the top level".
 * - OpenAI, Anthropic and Claude Desktop: "Invalid 'tools[0].function.name'"; Gemini: "Must start with a letter or an underscore".
 * - OpenAI: "object schema missing properties", "array schema missing items", "is not of type 'object', 'boolean'".
 */
import { isObject } from 'ftl-contract'
import type { ListedTool } from './official-clients.ts'

const FORMS = ['anyOf', 'oneOf', 'allOf', 'not', 'enum', '$ref']

/** @returns `NAME: PLACE: what is wrong`. */
export function refused(tools: readonly ListedTool[]): string[] {
  return tools.flatMap(({ name, inputSchema }) => {
    const { properties } = inputSchema as { properties?: object }
    const found = FORMS.filter((key) => key in inputSchema).map((key) => `${key} at the top`)
    if (!/^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/.test(name)) found.push('the name of the tool')
    if (!properties) found.push('no properties')
    for (const key of Object.keys(properties ?? {})) {
      if (!/^[a-zA-Z0-9_.-]{1,64}$/.test(key)) found.push(`the name ${key}`)
    }
    collect(inputSchema, '', found)
    return found.map((problem) => `${name}: ${problem}`)
  })
}

function collect(schema: object, place: string, into: string[]): void {
  const { type, items, properties } = schema as Record<string, unknown>
  if ([type].flat().includes('array') && items === undefined) into.push(`${place}: no items`)
  if (Array.isArray(items)) into.push(`${place}: a list as items`)
  const below = isObject(properties) ? Object.entries(properties) : []
  for (const [key, value] of [...below, ...Object.entries(schema)]) {
    for (const each of [value].flat()) if (isObject(each)) collect(each, `${place}/${key}`, into)
  }
}
