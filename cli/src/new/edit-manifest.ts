/** Adds a component to the text of a `spin.toml`. All other bytes stay as they are. */
import {
  type ComponentSpec,
  quote,
  renderComponent,
  renderVariable,
  type VariableSpec,
} from 'create-ftl-tool'
import type { Manifest } from 'ftl-host'
import { pathKey, scanToml, type TomlSpans } from './toml-spans.ts'
import { extendToolList, NotEditable, readToolList, toolListOf } from './tool-list.ts'

export interface Addition {
  component: ComponentSpec
  /** Whether the gateway asks it for tools. @default true */
  hasTools?: boolean
  /** Those the application has already stay as they are. */
  variables: Readonly<Record<string, VariableSpec>>
}

export interface EditedManifest {
  text: string
  /** The lines that are new or changed, to be shown. */
  lines: string[]
}

/**
 * @param manifest what `text` says.
 * @throws {NotEditable}
 */
export function editManifest(
  text: string,
  manifest: Manifest,
  { component, variables, hasTools = true }: Addition,
): EditedManifest {
  const eol = text.includes('\r\n') ? '\r\n' : '\n'
  const spans = scanToml(text)
  const missing = Object.entries(variables).filter(([name]) => !manifest.variables.has(name))
  const edits: Edit[] = []
  const lines: string[] = []
  if (hasTools && !readToolList(manifest).includes(component.id)) {
    const { line, ...edit } = listEdit(text, spans, manifest, component.id)
    edits.push(edit)
    lines.push(line)
  }
  const block: string[] = []
  const tableEnd = spans.tableEnds.get(pathKey('variables'))
  for (const variable of missing) {
    const line = renderVariable(variable)
    if (tableEnd !== undefined) {
      edits.push({ from: tableEnd, to: tableEnd, text: `${eol}${line}` })
      lines.push(line)
    } else {
      block.push(...variableTable(variable), '')
    }
  }
  block.push(...renderComponent(component))
  const gap = text === '' || text.endsWith('\n') ? eol : `${eol}${eol}`
  edits.push({ from: text.length, to: text.length, text: `${gap}${block.join(eol)}${eol}` })
  return { text: applyEdits(text, edits), lines: [...lines, '', ...block] }
}

/** A part of a text, and what takes its place. */
export interface Edit {
  from: number
  to: number
  text: string
}

function listEdit(
  text: string,
  { strings }: TomlSpans,
  manifest: Manifest,
  name: string,
): Edit & { line: string } {
  const list = toolListOf(manifest)
  const path =
    'variable' in list
      ? ['variables', list.variable, 'default']
      : ['component', list.component, 'variables', 'tool_components']
  const found = strings.get(pathKey(...path))
  if (!found) throw new NotEditable(`${path.join('.')} was not found as a plain string`)
  const { start, end, quote: mark } = found
  const extended = extendToolList(text.slice(start, end), mark, name)
  const key = 'variable' in list ? list.variable : 'tool_components'
  return { from: start, to: end, text: extended, line: `${key} = ${mark}${extended.trim()}${mark}` }
}

// A manifest without [variables] can get the table [variables.NAME] at any place.
function variableTable([name, spec]: [string, VariableSpec]): string[] {
  return [
    `[variables.${name}]`,
    `default = ${quote(spec.default)}`,
    `description = ${quote(spec.description)}`,
  ]
}

export function applyEdits(text: string, edits: readonly Edit[]): string {
  let result = ''
  let at = 0
  for (const edit of edits.toSorted((a, b) => a.from - b.from)) {
    result += text.slice(at, edit.from) + edit.text
    at = edit.to
  }
  return result + text.slice(at)
}
