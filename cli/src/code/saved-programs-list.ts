/** Names a saved program in the gateway's variable `saved_programs`, in the text of a `spin.toml`. */
import { NewFailure } from 'create-ftl-tool'
import { type Manifest, parseManifest } from 'ftl-host'
import { valueOf, variableIn } from '../application/manifest-value.ts'
import type { EditedManifest } from '../new/edit-manifest.ts'
import { pathKey, scanToml } from '../new/toml-spans.ts'

const NAME = 'saved_programs'

/** @throws {NewFailure} when the application runs no programs, or its text cannot be changed without guessing. */
export function nameProgram(text: string, manifest: Manifest, program: string): EditedManifest {
  const [gateway, another] = [...manifest.components.values()].filter(
    ({ variables }) => 'tool_components' in variables,
  )
  if (!gateway || another) {
    throw new NewFailure(
      `${manifest.file} must have one component with the variable tool_components`,
    )
  }
  const runner = valueOf(manifest, gateway.variables['code_component']) || 'code'
  if (!manifest.components.has(runner)) {
    throw new NewFailure(
      `spin.toml has no component "${runner}", which runs programs: add it first (docs/programs.md)`,
    )
  }
  const current = gateway.variables[NAME]
  const names = (valueOf(manifest, current) ?? '').split(/[\s,]+/).filter(Boolean)
  if (names.includes(program)) return { text, lines: [] }
  const list = [...names, program].join(' ')
  const spans = scanToml(text)
  const line = `${NAME} = ${JSON.stringify(list)}`
  const path = ['component', gateway.id, 'variables']
  let edited: string | undefined
  if (current === undefined) {
    const end = spans.tableEnds.get(pathKey(...path))
    const eol = text.includes('\r\n') ? '\r\n' : '\n'
    if (end !== undefined) edited = `${text.slice(0, end)}${eol}${line}${text.slice(end)}`
  } else {
    const variable = variableIn(current)
    const key = variable === undefined ? [...path, NAME] : ['variables', variable, 'default']
    const span = spans.strings.get(pathKey(...key))
    if (span) edited = text.slice(0, span.start) + list + text.slice(span.end)
  }
  const after = edited === undefined ? undefined : parseManifest(edited, manifest.file)
  const isSame = after && others(after, gateway.id) === others(manifest, gateway.id)
  if (edited === undefined || !isSame || listIn(after, gateway.id) !== list) {
    throw new NewFailure(
      `${manifest.file} cannot be extended. Nothing was written. Write ${line} into [${path.join('.')}], and try again`,
    )
  }
  return { text: edited, lines: [line] }
}

function listIn(manifest: Manifest, gateway: string): string | undefined {
  return valueOf(manifest, manifest.components.get(gateway)?.variables[NAME])
}

/** All that the manifest says but this list. */
function others(manifest: Manifest, gateway: string): string {
  const value = manifest.components.get(gateway)?.variables[NAME]
  const variable = value === undefined ? undefined : variableIn(value)
  return JSON.stringify(manifest, function (this: unknown, key, each: unknown) {
    if (key === NAME && variable === undefined) return undefined
    if (!(each instanceof Map)) return each
    return [...(each as Map<string, unknown>)].map(([name, entry]) =>
      name === variable ? [name] : [name, entry],
    )
  })
}
