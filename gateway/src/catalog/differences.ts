/**
 * How what a component publishes differs from what the operator has accepted, and the words for it. What was accepted is
 * known to a feature ({@link Accepted}).
 */
import type { PinnedKind, ToolDescription } from 'ftl-contract'
import { LABELS } from './catalog.ts'
import { withoutHidden } from './hidden-characters.ts'

export interface Difference {
  kind: PinnedKind
  name: string
  /** `file`: the host has another `.wasm` than the accepted one. */
  change: 'changed' | 'added' | 'removed' | 'file'
}

/** A component's entries as it published them, also those that cannot be listed. */
export type PublishedEntries = { readonly [K in PinnedKind]: readonly object[] }

/** What the operator has accepted of all components. */
export interface Accepted {
  /** @returns the entries that differ, in the order of the description; empty when all is as accepted. */
  differences(component: string, published: PublishedEntries): Promise<Difference[]>
  /** If the host serves another component in its place, because its file has changed: its tools, by their accepted names. */
  ofAnotherFile(component: string): ToolDescription[] | undefined
}

const HOW: Record<Difference['change'], string> = {
  changed: 'is published differently from what was pinned',
  added: 'was not there when its component was pinned',
  removed: 'was pinned and is no longer published',
  file: 'belongs to a component whose file is not the one that was pinned',
}

/** Characters of a name in a message; a uri may have thousands. */
const LONGEST_NAME = 200

/** One sentence, without the remedy: the client cannot accept the change. */
export function reasonOfDifference({ kind, name, change }: Difference): string {
  return `The ${LABELS[kind]} "${withoutHidden(name).slice(0, LONGEST_NAME)}" ${HOW[change]}.`
}

/** The outcome of a request for an entry that is not as pinned. */
export function notPinned(
  component: string,
  difference: Difference,
): { kind: 'not-pinned'; message: string } {
  const remedy = `until the operator accepts the change of the component "${component}" (ftl pin)`
  const message = `${reasonOfDifference(difference)} It is not served ${remedy}.`
  return { kind: 'not-pinned', message }
}
