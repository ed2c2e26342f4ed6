/** The entry of an added component in `spin.toml`: exactly the rights that were shown, and removed as a whole. */
import { isDeepStrictEqual } from 'node:util'
import type { ComponentSpec, VariableSpec } from 'create-ftl-tool'
import { type ComponentManifest, type Manifest, parseManifest, type Reach } from 'ftl-host'
import { CommandFailure } from '../terminal/failure.ts'
import { editManifest } from '../new/edit-manifest.ts'
import { readToolList, toolListOf } from '../new/tool-list.ts'
import { pathKey, scanToml } from '../new/toml-spans.ts'
import { verifyEdit } from '../new/verify-edit.ts'

/** Path of the file of an added component, from the folder of the manifest. */
export const addedFile = (id: string) => `added/${id}.wasm`

/** The application's variable for a variable of the component. */
export const variableOf = (id: string, name: string) => `${id.replaceAll('-', '_')}_${name}`

/** @throws {NotEditable} */
export function addEntry(
  text: string,
  manifest: Manifest,
  { id, reach, source }: { id: string; reach: Reach; source: string },
): { text: string; lines: string[]; variables: string[] } {
  const names = reach.variables ?? []
  const internal = (reach.components ?? []).map((other) => `http://${other}.spin.internal`)
  const component: ComponentSpec = {
    id,
    source: addedFile(id),
    allowedOutboundHosts: [...(reach.hosts ?? []), ...internal],
    keyValueStores: reach.stores ?? [],
    files: [],
    variables: Object.fromEntries(names.map((name) => [name, `{{ ${variableOf(id, name)} }}`])),
    hints: [`Added from ${source}. "ftl remove ${id}" removes it.`],
  }
  const variables: Record<string, VariableSpec> = Object.fromEntries(
    names.map((name) => [
      variableOf(id, name),
      { default: '', description: `${name} of the component ${id}` },
    ]),
  )
  const addition = { component, variables }
  const edited = editManifest(text, manifest, addition)
  verifyEdit(manifest, edited.text, addition)
  return { ...edited, variables: Object.keys(variables) }
}

const HEADER = /^\s*\[\[?\s*([A-Za-z0-9_.-]+)\s*\]\]?\s*(?:#.*)?$/

/**
 * The manifest without a component, its trigger, its place in the list of tools and its variables.
 *
 * @throws {CommandFailure} when the rest would not stay as it is.
 */
export function removeEntry(text: string, manifest: Manifest, id: string): string {
  const prefix = variableOf(id, '')
  const own = (line: string) => {
    const [, name = ''] = /^\s*([a-z0-9_]+)\s*=\s*\{/.exec(line) ?? []
    return name.startsWith(prefix) && line.includes(`of the component ${id}"`)
  }
  const blocks = blocksOf(withoutTool(text, manifest, id))
  const kept = blocks.filter((block) => !isOf(block, id))
  const lines = kept.flatMap((block) => block.filter((line) => !own(line)))
  while (lines.at(-1)?.trim() === '') lines.pop()
  // Each line of a file with the ends of Windows still has its carriage return.
  const result = `${lines.join('\n')}\n`
  const after = parsed(result, manifest)
  const others = [...manifest.components].filter(([other]) => other !== id)
  const isSame =
    after &&
    isDeepStrictEqual(comparable([...after.components]), comparable(others)) &&
    isDeepStrictEqual(
      readToolList(after),
      readToolList(manifest).filter((name) => name !== id),
    ) &&
    hasVariables(after, manifest, prefix) &&
    after.triggers.length ===
      manifest.triggers.filter(({ target }) => !('component' in target && target.component === id))
        .length
  if (isSame) return result
  throw new CommandFailure(
    `spin.toml cannot be edited without a change of something else: remove [component.${id}], its [[trigger.http]] and its name in ` +
      'tool_components by hand',
  )
}

/** Whether no variable of others is missing or changed, except the list of tools. */
function hasVariables(after: Manifest, before: Manifest, prefix: string): boolean {
  const list = toolListOf(before)
  return [...before.variables].every(([name, variable]) => {
    if ('variable' in list && list.variable === name) return true
    const left = after.variables.get(name)
    return left ? isDeepStrictEqual(left, variable) : name.startsWith(prefix)
  })
}

/** Without the list of tools, which changes. */
function comparable(components: readonly (readonly [string, ComponentManifest])[]): unknown {
  const plain = components.map(([name, component]) => {
    const { tool_components: _, ...variables } = component.variables
    return [name, { ...component, variables }]
  })
  return JSON.parse(JSON.stringify(plain)) as unknown
}

function parsed(text: string, { file }: Manifest): Manifest | undefined {
  try {
    return parseManifest(text, file)
  } catch {
    return undefined
  }
}

function blocksOf(text: string): string[][] {
  const blocks: string[][] = [[]]
  for (const line of text.split('\n')) {
    if (HEADER.test(line)) blocks.push(commentAbove(blocks.at(-1) ?? []))
    blocks.at(-1)?.push(line)
  }
  return blocks
}

/** Takes the comment off the end of a block that stands directly above the next one, after an empty line. */
function commentAbove(block: string[]): string[] {
  const start = block.findLastIndex((line) => !line.startsWith('#')) + 1
  return start > 0 && block[start - 1]?.trim() === '' ? block.splice(start) : []
}

function isOf(block: readonly string[], id: string): boolean {
  const [, path = ''] = HEADER.exec(block.find((line) => HEADER.test(line)) ?? '') ?? []
  if (path === `component.${id}` || path.startsWith(`component.${id}.`)) return true
  // A manifest without [variables] has a table for each.
  if (path.startsWith(`variables.${variableOf(id, '')}`)) {
    return block.some((line) => line.includes(`of the component ${id}"`))
  }
  return (
    path === 'trigger.http' &&
    block.some((line) => /^\s*component\s*=/.test(line) && line.includes(`"${id}"`))
  )
}

function withoutTool(text: string, manifest: Manifest, id: string): string {
  if (!readToolList(manifest).includes(id)) return text
  const list = toolListOf(manifest)
  const path =
    'variable' in list
      ? ['variables', list.variable, 'default']
      : ['component', list.component, 'variables', 'tool_components']
  const found = scanToml(text).strings.get(pathKey(...path))
  if (!found) return text
  const raw = text.slice(found.start, found.end)
  // As a whole: `weather` is also the beginning of `weather-pro`.
  const item = `(?:\\\\?")?${id}(?:\\\\?")?(?=\\s*(?:,|\\]|$))`
  const shorter = raw.replace(new RegExp(`(,\\s*${item})|((?<=^|\\[)\\s*${item}\\s*,?\\s*)`), '')
  return text.slice(0, found.start) + shorter + text.slice(found.end)
}
