/** Compares what a component publishes with its pins. */
import {
  canonicalJson,
  type ComponentPins,
  memberOf,
  type PinFile,
  type PinnedKind,
  pinnedName,
  type ToolDescription,
} from 'ftl-contract'
import { sha256 } from 'ftl-http'
import { KINDS } from '../catalog/catalog.ts'
import type { Difference, PublishedEntries } from '../catalog/differences.ts'

/** @returns the entries that differ, in the order of the description; empty when all is as pinned. */
export async function differences(
  { components }: PinFile,
  component: string,
  published: PublishedEntries,
): Promise<Difference[]> {
  const pins = pinsOf(components, component)
  const found = await Promise.all(KINDS.map((kind) => compared(kind, pins, published[kind])))
  return found.flat()
}

async function compared(
  kind: PinnedKind,
  { [kind]: pinned = {}, changed }: ComponentPins,
  entries: readonly object[],
): Promise<Difference[]> {
  const names = entries.map((entry) => String(pinnedName(kind, entry)))
  const digests = await Promise.all(entries.map((entry) => sha256(canonicalJson(entry))))
  const different = names.flatMap((name, index): Difference[] => {
    if (changed) return [{ kind, name, change: 'file' }]
    // Names like "constructor" are valid.
    if (!Object.hasOwn(pinned, name)) return [{ kind, name, change: 'added' }]
    return pinned[name]?.digest === digests[index] ? [] : [{ kind, name, change: 'changed' }]
  })
  const removed = Object.keys(pinned).filter((name) => !names.includes(name))
  return [...different, ...removed.map((name) => ({ kind, name, change: 'removed' as const }))]
}

/** Whether the host serves another component in its place, because its file has changed. */
export function isFileChanged({ components }: PinFile, component: string): boolean {
  return pinsOf(components, component).changed === true
}

/** Tools with the pinned names, so that a call of one is refused with the reason. They are not listed. */
export function pinnedTools({ components }: PinFile, component: string): ToolDescription[] {
  const names = Object.keys(pinsOf(components, component).tools ?? {})
  return names.map((name) => ({ name, inputSchema: { type: 'object' } }))
}

/** A component that is not in the file has no pins, so everything it publishes was added. */
function pinsOf(components: PinFile['components'], component: string): ComponentPins {
  return (memberOf(components, component) as ComponentPins | undefined) ?? {}
}
