/** What the components of an application publish, as the policy sees it, without a running gateway. */
import { type Descriptions, type Entry, type Kind, KINDS } from '../catalog/catalog.ts'
import { describe } from '../catalog/describe.ts'
import { findEntry } from '../catalog/lookup.ts'
import { assignNames } from '../catalog/names.ts'
import type { Target } from '../permissions.ts'
import type { Action } from './policy.ts'
import { OWN_NAMES, targetOf, uriTarget } from './target.ts'

type Lists = { [K in Kind]: Entry<K>[] }

export class OfflineEntries {
  /** Everything that is listed, in the order of the lists. */
  readonly targets: readonly Target[]
  readonly #lists: Lists

  /**
   * @param published the answer of each component to `GET /`, in the order of `tool_components`.
   * @throws {NotAToolList}
   */
  constructor(published: readonly [component: string, answer: unknown][]) {
    const described = published.map(
      ([component, answer]) => [component, { ...describe(answer), digest: '' }] as const,
    )
    const entriesOf = (kind: Kind) => assignNames(kind, described as never).entries
    this.#lists = Object.fromEntries(KINDS.map((kind) => [kind, entriesOf(kind)])) as Lists
    this.targets = KINDS.flatMap((kind) =>
      (this.#lists[kind] as Entry[]).flatMap((entry) => targetOf(entry, OWN_NAMES) ?? []),
    )
  }

  /** What a client would use by this name or uri. */
  find(action: Action, name: string): Target | undefined {
    if (action === 'chat') return { kind: 'chat', component: 'chat', name: 'chat' }
    if (action === 'observe') return { kind: 'activity', component: '', name: 'activity' }
    if (action === 'list') return this.targets.find((target) => target.name === name)
    if (action === 'call') return this.#target(this.#lists.tools, name)
    if (action === 'get') return this.#target(this.#lists.prompts, name)
    const entry = findEntry(this.#lists, 'resources', name)
    return entry && uriTarget(entry, name)
  }

  #target<K extends keyof Descriptions>(list: Entry<K>[], name: string): Target | undefined {
    const entry = list.find((one) => one.name === name)
    return entry && targetOf(entry, OWN_NAMES)
  }
}
