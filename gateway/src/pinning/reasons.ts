/** Differences from the pins, in words for clients and for the operator. */
import type { PinnedKind } from 'ftl-contract'
import { withoutHidden } from '../catalog/hidden-characters.ts'
import type { Difference } from './compare.ts'

const WHAT: Record<PinnedKind, string> = {
  tools: 'tool',
  prompts: 'prompt',
  resources: 'resource',
  resourceTemplates: 'resource template',
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
  return `The ${WHAT[kind]} "${withoutHidden(name).slice(0, LONGEST_NAME)}" ${HOW[change]}.`
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
