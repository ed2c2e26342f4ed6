/** Variables that the host defines for a component. */
import type { ComponentManifest } from '../manifest/manifest.ts'
import type { StoreLimits } from '../kv/store-limits.ts'
import { OWN_STORE_VARIABLE, ownStoreOf } from '../kv/store-view.ts'

/**
 * The variable that says whether `x-forwarded-user` can be believed in a request of another component. It is `true`
 * here: `outbound/vouched-headers.ts` lets only the value of the client's request through. On Spin, which lets every
 * value through, it is undefined.
 */
const CHECKS_FORWARDED_VARIABLE = 'host_checks_forwarded'

/** The variable that says that a component can write an entry on a condition: see `kv/conditional-write.ts`. */
const CONDITIONAL_WRITES_VARIABLE = 'host_conditional_writes'

/** The variable that says how many bytes the gateway may store, of which it gives out half. */
const STORE_BYTES_VARIABLE = 'host_store_bytes'

/** Bytes that the gateway counts for an entry at least, so that the limit of keys is one of bytes, too. */
const BYTES_PER_KEY = 4096

function bytesOf({ maxStoreBytes, maxStoreKeys }: StoreLimits): number {
  return Math.min(maxStoreBytes, maxStoreKeys * BYTES_PER_KEY)
}

/** The variable with what the components may reach, for the gateway's lists. */
const REACH_VARIABLE = 'tool_reach'

/** The variable that says which build is served, while an application is developed. */
const DEV_BUILD_VARIABLE = 'dev_build'

/**
 * The variable that is `true` once the host stops, and undefined before. A component with a stream that does not end by itself
 * reads it now and then, so that the stream ends as its protocol says and is not cut.
 */
const STOPS_VARIABLE = 'host_stops'

/** Whether the variable of this name is `true` because the host stops. @param stops of the settings of the worker. */
export function saysStop(
  { variables }: Pick<ComponentManifest, 'variables'>,
  name: string,
  stops: Int32Array,
): boolean {
  return name === STOPS_VARIABLE && stops[0] !== 0 && !Object.hasOwn(variables, name)
}

/**
 * Variables that the host defines itself, so that a component can find out what this host does for it. No component
 * has to declare them; what the manifest declares is not overwritten.
 */
export function hostVariables(
  component: ComponentManifest,
  devBuild?: string,
  devVariables: Readonly<Record<string, string>> = {},
  compares = true,
  reach?: string,
  storeLimits?: StoreLimits,
): ReadonlyMap<string, string> {
  const defined = new Map([
    ...Object.entries(devVariables),
    [CHECKS_FORWARDED_VARIABLE, 'true'] as const,
  ])
  if (compares) defined.set(CONDITIONAL_WRITES_VARIABLE, 'true')
  if (devBuild !== undefined) defined.set(DEV_BUILD_VARIABLE, devBuild)
  if (reach !== undefined) defined.set(REACH_VARIABLE, reach)
  if (storeLimits !== undefined) defined.set(STORE_BYTES_VARIABLE, String(bytesOf(storeLimits)))
  const ownStore = ownStoreOf(component)
  if (ownStore !== undefined) defined.set(OWN_STORE_VARIABLE, ownStore)
  for (const name of [...defined.keys()]) {
    if (Object.hasOwn(component.variables, name)) defined.delete(name)
  }
  return defined
}
