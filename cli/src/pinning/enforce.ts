/** Serves only what `ftl.lock` has: components with another file are replaced, and the gateway gets the pins. */
import type { PinFile } from 'ftl-contract'
import type { Manifest } from 'ftl-host'
import { type Overrides, standIn } from '../dev/broken-components.ts'
import { DEV_COMPONENT, DEV_PROBLEM } from '../dev/stand-in/names.ts'
import { type Finding, ok, problem } from '../doctor/finding.ts'
import { CommandFailure } from '../terminal/failure.ts'
import { memberNames } from '../members/placed-names.ts'
import type { Application } from '../application/load-application.ts'
import { compact, LOCK_FILE, readLock } from './lock-file.ts'
import { type ToolComponent, toolComponents, wasmDigest } from './published-pins.ts'

/** The variable of the gateway. */
const TOOL_PINS = 'tool_pins'

export interface Enforced {
  overrides: Overrides
  variables: Readonly<Record<string, string>>
  findings: Finding[]
}

/**
 * @returns `undefined` when there is no lock.
 * @throws {CommandFailure} when the lock cannot be read, or the gateway itself is another one: it is what compares.
 */
export async function enforcePins(
  application: Application,
  variables: Readonly<Record<string, string>>,
): Promise<Enforced | undefined> {
  const { manifest, cacheFolder } = application
  const lock = await readLock(manifest.folder)
  if (!lock) return undefined
  const changed = await changedFiles(manifest, lock)
  const gateways = [...manifest.components.values()].filter((each) =>
    Object.hasOwn(each.variables, 'tool_components'),
  )
  const other = gateways.find(({ id }) => changed.has(id))
  if (other) {
    throw new CommandFailure(
      `the file of the gateway "${other.id}" is not the one in ${LOCK_FILE}. If you accept it, run: ftl pin ${other.id}`,
    )
  }
  if (changed.size > 0) {
    const { buildComponents } = await import('../build/index.ts')
    await buildComponents([standIn(application)], { cacheFolder })
  }
  const overrides: Record<string, Overrides[string]> = {}
  for (const id of changed) {
    const text = `${id} is not served: its file is not the one in ${LOCK_FILE}. The operator can accept it: ftl pin ${id}`
    const source = standIn(application).output
    overrides[id] = { source, variables: { [DEV_COMPONENT]: id, [DEV_PROBLEM]: text } }
  }
  const names = [...changed].flatMap((id) => [id, ...membersOf(manifest, id)])
  const pins = compact(lock, new Set(names))
  for (const { id, variables: own } of gateways) {
    if (!Object.hasOwn(own, TOOL_PINS)) overrides[id] = { variables: { [TOOL_PINS]: pins } }
  }
  const isDeclared = manifest.variables.has(TOOL_PINS) && variables[TOOL_PINS] === undefined
  return {
    overrides,
    variables: isDeclared ? { [TOOL_PINS]: pins } : {},
    findings: findingsOf(lock, changed, toolComponents(manifest, variables)),
  }
}

/** Findings of `ftl doctor`: files that differ from the lock. Only a running gateway knows what components publish. */
export async function checkPins(
  { manifest }: Application,
  variables: Readonly<Record<string, string>>,
): Promise<Finding[]> {
  try {
    const lock = await readLock(manifest.folder)
    if (!lock) return []
    const changed = await changedFiles(manifest, lock)
    const found = findingsOf(lock, changed, toolComponents(manifest, variables))
    const count = Object.keys(lock.components).length
    return found.length > 0
      ? found
      : [ok(LOCK_FILE, `the files of ${count} components are as pinned`)]
  } catch (error) {
    if (!(error instanceof CommandFailure)) throw error
    return [problem(LOCK_FILE, error.message, 'nothing is served with a lock that cannot be read')]
  }
}

/** Ids of components of the manifest whose file is another one, for them or for a component that is in them. */
async function changedFiles(manifest: Manifest, { components }: PinFile): Promise<Set<string>> {
  const changed = new Set<string>()
  for (const id of manifest.components.keys()) {
    const pinned = [id, ...membersOf(manifest, id)].filter((name) =>
      Object.hasOwn(components, name),
    )
    if (pinned.length === 0) continue
    const digest = await wasmDigest(manifest, id)
    // A missing file is reported by the host.
    if (digest === undefined) continue
    if (pinned.some((name) => components[name]?.wasm !== digest)) changed.add(id)
  }
  return changed
}

function membersOf({ components }: Manifest, id: string): string[] {
  const component = components.get(id)
  return component ? memberNames(component) : []
}

function findingsOf(
  { components }: PinFile,
  changed: ReadonlySet<string>,
  withTools: readonly ToolComponent[],
): Finding[] {
  return [
    ...[...changed].map((id) =>
      problem(
        `component ${id}`,
        `its file is not the one in ${LOCK_FILE}, so it is not served`,
        `if you accept the change: ftl pin ${id}`,
      ),
    ),
    ...withTools
      .filter(({ name }) => !Object.hasOwn(components, name))
      .map(({ name, place }) =>
        problem(
          `component ${name}`,
          `it is not in ${LOCK_FILE}, so its tools are not served`,
          `if you accept them: ftl pin ${place}`,
        ),
      ),
  ]
}
