/** What the components of an application are and publish now. */
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import {
  COMPONENT_HEADER,
  type ComponentPins,
  isObject,
  PINNED_KINDS,
  pinnedName,
} from 'ftl-contract'
import { type Manifest, startHostProcess, Variables } from 'ftl-host'
import { listOf } from '../policy/component-list.ts'
import { CommandFailure } from '../terminal/failure.ts'
import { placed } from '../members/placed-names.ts'
import type { Application } from '../application/load-application.ts'
import { digestOf, digestOfEntry } from './lock-file.ts'
import { reachedFrom } from '../contract-test/reached-from.ts'

export interface ServedWith {
  variables: Readonly<Record<string, string>>
  profile?: string | undefined
  runtimeConfigFile?: string | undefined
}

/** A component with tools, and the component of the manifest that it is in: itself, or its group. */
export interface ToolComponent {
  name: string
  place: string
}

/** The components that a gateway of the application names as those with tools. */
export function toolComponents(
  manifest: Manifest,
  overrides: Readonly<Record<string, string>>,
): ToolComponent[] {
  const folders = [process.cwd(), manifest.folder]
  const variables = new Variables(manifest, { overrides, env: process.env, folders, partial: true })
  const named = [...manifest.components.values()].flatMap((component) => {
    const template = component.variables['tool_components']
    return template === undefined ? [] : listOf(variables.resolve(template))
  })
  return [...new Set(named)].map(placed).filter(({ place }) => manifest.components.has(place))
}

/** @returns `undefined` for a file that is not on this machine. */
export async function wasmDigest(manifest: Manifest, id: string): Promise<string | undefined> {
  const source = manifest.components.get(id)?.source
  const path = typeof source === 'string' ? resolve(manifest.folder, source) : ''
  return existsSync(path) ? digestOf(await readFile(path)) : undefined
}

/** Milliseconds that a component has to describe itself, after its start. */
const PATIENCE_MS = 15_000

/** Runs the component as the application does, and reads its description. @throws {CommandFailure} */
export async function publishedPins(
  { manifest, cacheFolder }: Application,
  { name, place }: ToolComponent,
  { variables, profile, runtimeConfigFile }: ServedWith,
): Promise<ComponentPins> {
  const failed = (problem: string) =>
    new CommandFailure(`the component ${name} does not describe what it publishes: ${problem}`)
  const host = await startHostProcess({
    manifest: manifest.file,
    profile,
    expose: place,
    // The others need not be built.
    components: reachedFrom(place, manifest),
    variables,
    runtimeConfigFile,
    listen: '127.0.0.1:0',
    // In memory, because an application that runs holds the store.
    stateDir: '',
    workers: 1,
    drainMs: 500,
    cacheDir: cacheFolder,
    onEnded: () => undefined,
    onError: () => undefined,
  })
  try {
    const response = await fetch(`${host.url}/`, {
      headers: {
        accept: 'application/json',
        ...(name !== place && { [COMPONENT_HEADER]: name }),
      },
      signal: AbortSignal.timeout(PATIENCE_MS),
    })
    if (response.status !== 200) throw failed(`it answered with status ${response.status}`)
    return pinsOf(JSON.parse(await response.text()))
  } catch (error) {
    if (error instanceof CommandFailure) throw error
    throw failed(error instanceof SyntaxError ? 'its description is not JSON' : String(error))
  } finally {
    await host.close()
  }
}

/** @param description one tool, a list of tools, or an object of lists, as the gateway reads it. */
function pinsOf(description: unknown): ComponentPins {
  const hasLists = isObject(description) && PINNED_KINDS.some((kind) => kind in description)
  const tools = Array.isArray(description) ? (description as unknown[]) : [description]
  const offer: Readonly<Record<string, unknown>> = hasLists ? description : { tools }
  const pins: ComponentPins = {}
  for (const kind of PINNED_KINDS) {
    const list: unknown = offer[kind]
    const entries = (Array.isArray(list) ? (list as unknown[]) : []).flatMap((published) => {
      const name = isObject(published) ? pinnedName(kind, published) : undefined
      // The gateway lists none without a name.
      if (typeof name !== 'string') return []
      return [[name, { digest: digestOfEntry(published), published }] as const]
    })
    // Of two with one name the first counts, as in the gateway; the other one then differs.
    if (entries.length > 0) pins[kind] = Object.fromEntries(entries.reverse())
  }
  return pins
}
