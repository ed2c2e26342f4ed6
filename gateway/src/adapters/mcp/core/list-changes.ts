/** Changes of the lists, for clients of both eras that listen: under `ftl dev`, or with `list_changes=on`. */
import { notification } from './call-messages.ts'
import { pause } from 'ftl-contract'
import type { ToolRepository, Versions } from '../../../catalog/catalog.ts'
import type { Scope } from '../../../scope.ts'
import { INTERNAL_ERROR, type RpcError } from '../json-rpc.ts'
import { isTurn, MAX_LISTENERS, POLL_MS, takePlace } from './listener-places.ts'

/** The name that notifications have for each of the `KINDS` of the catalog: resource templates are resources. */
export const CHANGING_LISTS = ['tools', 'prompts', 'resources', 'resources'] as const

export type ChangingList = (typeof CHANGING_LISTS)[number]

export interface ListChanges {
  /** The lists that have changed since the last event. The first event may have none. */
  changed: readonly ChangingList[]
  versions: Versions
}

/** Status and error for a client that finds no place. */
export const TOO_MANY = 503
export const TOO_MANY_ERROR: RpcError = {
  code: INTERNAL_ERROR,
  message: `Too many listeners: ${MAX_LISTENERS}`,
}

/**
 * Yields the current versions, then each change, until `stream_limit_ms` has passed, the token of the caller expires or the
 * host stops. Under `ftl dev` it queries no component:
 * what clients list, and each build, updates the stored catalog. Otherwise one client in turn lists for all, so
 * components whose answer is older than `catalog_ttl_ms` are asked, at most once a second however many clients listen.
 *
 * @param since the versions that the client has seen. @default the current ones
 * @returns `undefined` when too many clients listen.
 */
export async function listChanges(
  tools: ToolRepository,
  scope: Scope,
  since?: Versions,
): Promise<AsyncGenerator<ListChanges> | undefined> {
  const renew = await takePlace(scope)
  return renew && changesOf(tools, scope, renew, since)
}

async function* changesOf(
  tools: ToolRepository,
  scope: Scope,
  renew: () => Promise<boolean>,
  seen?: Versions,
): AsyncGenerator<ListChanges> {
  const { platform, settings, connection } = scope
  const end = platform.now() + settings.streamLimitMs
  let isFirst = true
  do {
    if (settings.devBuild === '' && (await isTurn(scope))) await tools.list(scope)
    const versions = await tools.versions(scope)
    const isNew = (_: string, list: number) => seen && seen[list] !== versions[list]
    const changed = [...new Set(CHANGING_LISTS.filter(isNew))]
    if (isFirst || changed.length > 0) yield { changed, versions }
    isFirst = false
    seen = versions
    await pause(POLL_MS, connection.signal)
  } while (platform.now() < end && !isOver(scope) && (await renew()))
}

/**
 * Whether there is nothing more to listen to: the token of the caller has expired, or the host has begun to stop. Only the embedded
 * host and Node say that; others cut what still runs.
 */
export function isOver({ platform, caller }: Scope): boolean {
  return (
    platform.variables.get('host_stops') === 'true' ||
    (caller?.expires ?? Infinity) <= platform.now()
  )
}

/** `notifications/{list}/list_changed`. */
export function listChanged(list: ChangingList, params?: object): object {
  return notification(`${list}/list_changed`, params)
}
