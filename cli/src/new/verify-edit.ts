/** Checks that an edited manifest differs from the one before by the addition only. */
import { isDeepStrictEqual } from 'node:util'
import type { ComponentSpec } from 'create-ftl-tool'
import { type ComponentManifest, type Manifest, ManifestError, parseManifest } from 'ftl-host'
import type { Addition } from './edit-manifest.ts'
import { NotEditable, readToolList, toolListOf } from './tool-list.ts'

/** @throws {NotEditable} naming what would not be as it should. */
export function verifyEdit(before: Manifest, text: string, addition: Addition): void {
  const after = parse(text, before.file)
  const { component, hasTools = true } = addition
  const names = new Set([...readToolList(before), ...(hasTools ? [component.id] : [])])
  const expected = expectedAfter(before, addition)
  const parts: [string, unknown, unknown][] = [
    ['the list of tool components', readToolList(after), [...names]],
    ['the application', after.application, expected.application],
    ['its tables', after.tool, expected.tool],
    ['the variables', withoutList(after).variables, withoutList(expected).variables],
    ['the components', withoutList(after).components, withoutList(expected).components],
    ['the triggers', routes(after), routes(expected)],
  ]
  for (const [what, is, should] of parts) {
    if (!isDeepStrictEqual(plain(is), plain(should)))
      throw new NotEditable(`the edit would change ${what}`)
  }
}

/**
 * Checks that an edit has added these keys to the table `[component.ID.tool.ftl]`, and nothing else.
 *
 * @throws {NotEditable} naming what would not be as it should.
 */
export function verifyTable(
  before: Manifest,
  text: string,
  id: string,
  keys: Readonly<Record<string, unknown>>,
): void {
  const component = before.components.get(id)
  if (!component) throw new NotEditable(`there is no component "${id}"`)
  const { tool } = component
  const components = new Map(before.components)
  components.set(id, { ...component, tool: { ...tool, ftl: { ...tool['ftl'], ...keys } } })
  if (!isDeepStrictEqual(plain(parse(text, before.file)), plain({ ...before, components }))) {
    throw new NotEditable(`the edit would change more than [component.${id}.tool.ftl]`)
  }
}

/** Without prototypes and members that are undefined, which say nothing. */
function plain(value: unknown): unknown {
  const text = JSON.stringify(value, (_, each: unknown) => (each instanceof Map ? [...each] : each))
  return text === undefined ? undefined : (JSON.parse(text) as unknown)
}

function parse(text: string, file: string): Manifest {
  try {
    return parseManifest(text, file)
  } catch (error) {
    if (!(error instanceof ManifestError)) throw error
    throw new NotEditable(`with the new lines it could not be read (${error.message})`)
  }
}

// The name of a trigger without a name depends on its neighbours, and nothing depends on it.
function routes({ triggers }: Manifest) {
  return triggers.map(({ route, target }) => ({ route, target }))
}

function expectedAfter(before: Manifest, { component, variables }: Addition): Manifest {
  const after: Manifest = {
    ...before,
    variables: new Map(before.variables),
    components: new Map(before.components),
    triggers: [
      ...before.triggers,
      ...(component.routes ?? [undefined]).map((route) => ({
        id: '',
        route,
        target: { component: component.id },
      })),
    ],
  }
  for (const [name, { default: value, secret = false }] of Object.entries(variables)) {
    if (after.variables.has(name)) continue
    after.variables.set(name, { default: value, required: false, secret })
  }
  after.components.set(component.id, asManifest(component))
  return after
}

/** The list is compared by its names: how it is written has changed. */
function withoutList(manifest: Manifest): Pick<Manifest, 'variables' | 'components'> {
  const list = toolListOf(manifest)
  const variables = new Map(manifest.variables)
  const components = new Map(manifest.components)
  if ('variable' in list) {
    const variable = variables.get(list.variable)
    if (variable) variables.set(list.variable, { ...variable, default: '' })
  } else {
    const gateway = components.get(list.component)
    if (gateway) {
      const { tool_components: _, ...rest } = gateway.variables
      components.set(gateway.id, { ...gateway, variables: rest })
    }
  }
  return { variables, components }
}

function asManifest(spec: ComponentSpec): ComponentManifest {
  const { build } = spec
  return {
    id: spec.id,
    description: undefined,
    source: spec.source,
    variables: spec.variables,
    environment: {},
    files: spec.files,
    excludeFiles: [],
    allowedOutboundHosts: spec.allowedOutboundHosts,
    keyValueStores: spec.keyValueStores,
    build: build && { command: [build.command], workdir: build.workdir, watch: build.watch },
    tool:
      spec.entry === undefined
        ? {}
        : { ftl: { entry: spec.entry, ...(spec.skills && { skills: true }) } },
  }
}
