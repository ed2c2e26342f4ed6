/**
 * The tools of an application: the list of its tool components, which is extended in its own format, and the names of tools
 * in its sources.
 */
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import type { Manifest } from 'ftl-host'

/** The list cannot be edited without guessing; the message is the reason. */
export class NotEditable extends Error {
  override readonly name = 'NotEditable'
}

/** The list is the default of `variable`, or the literal value of `tool_components` of `component`. */
export type ToolList = { variable: string } | { component: string }

/** @throws {NotEditable} when no component has a list, or several have one. */
export function toolListOf({ components }: Manifest): ToolList {
  const gateways = [...components.values()].filter((each) => 'tool_components' in each.variables)
  const [gateway, another] = gateways
  if (!gateway) {
    throw new NotEditable('no component has the variable tool_components, so there is no gateway')
  }
  if (another) {
    const names = gateways.map(({ id }) => id).join(' and ')
    throw new NotEditable(`${names} both have the variable tool_components`)
  }
  const variable = /^\{\{\s*([a-z0-9_]+)\s*\}\}$/.exec(gateway.variables['tool_components'] ?? '')
  return variable?.[1] === undefined ? { component: gateway.id } : { variable: variable[1] }
}

/** The names in it, read as the gateway reads them. @throws {NotEditable} when it has no value or is not a list. */
export function readToolList(manifest: Manifest): string[] {
  const list = toolListOf(manifest)
  const text =
    'variable' in list
      ? manifest.variables.get(list.variable)?.default
      : manifest.components.get(list.component)?.variables['tool_components']
  if (text === undefined) {
    const name = 'variable' in list ? list.variable : 'tool_components'
    throw new NotEditable(`the variable ${name} has no default that could be extended`)
  }
  const entries = text.trim().startsWith('[') ? array(text) : text.split(',')
  return entries.map((entry) => entry.trim()).filter((entry) => entry !== '')
}

function array(text: string): string[] {
  try {
    const value: unknown = JSON.parse(text)
    if (Array.isArray(value) && value.every((each) => typeof each === 'string')) return value
  } catch {
    // Reported below.
  }
  throw new NotEditable('tool_components starts like a JSON array but is not an array of names')
}

/**
 * @param raw the list as written in the manifest, between the quotes: `a,b` or `["a","b"]`.
 * @param quote the quotes of the TOML string, which decide how a quote inside is escaped.
 */
export function extendToolList(raw: string, quote: string, name: string): string {
  const body = raw.trimEnd()
  const rest = raw.slice(body.length)
  const comma = /,[ \t]/.test(body) ? ', ' : ','
  if (!body.trimStart().startsWith('[')) {
    return `${body}${separator(body, comma)}${name}${rest}`
  }
  const inner = body.slice(0, -1).trimEnd()
  const space = body.slice(inner.length, -1)
  const mark = quote === '"' ? '\\"' : '"'
  return `${inner}${inner.endsWith('[') ? '' : comma}${mark}${name}${mark}${space}]${rest}`
}

function separator(body: string, comma: string): string {
  if (body.trim() === '') return ''
  return body.endsWith(',') ? comma.slice(1) : comma
}

const NOT_PUBLISHED = [
  ...['**/node_modules/**', '**/*.test.*'],
  ...['**/testing/**', '**/fixtures/**', '**/test/**', '**/tests/**'],
]

interface TakenTool {
  component: string
  /** From the folder of the manifest. */
  file: string
}

/**
 * The component that has a tool of this name, as far as the sources show it.
 *
 * The gateway serves both of two tools with one name, the later one under a longer name; that is a surprise and no error,
 * so a best effort is enough: names that are computed are not seen. A gateway has no tools that could be meant, and what is in
 * folders of tests is not published.
 */
export function toolTaken({ components, folder }: Manifest, name: string): TakenTool | undefined {
  const pattern = new RegExp(`\\bname:\\s*(['"\`])${name}\\1`)
  for (const { id, tool, variables } of components.values()) {
    if ('tool_components' in variables) continue
    const entry = tool['ftl']?.['entry']
    if (typeof entry !== 'string') continue
    const sources = join(folder, dirname(entry))
    // A package has no sources here, and an entry beside node_modules would mean to read all of it.
    if (!/\.[mc]?[jt]sx?$/.test(entry)) continue
    const options = { cwd: sources, exclude: NOT_PUBLISHED }
    for (const path of globSync('**/*.{ts,js,mts,mjs}', options)) {
      const file = join(sources, path)
      if (pattern.test(readFileSync(file, 'utf8'))) {
        return { component: id, file: relative(folder, file) }
      }
    }
  }
  return undefined
}
