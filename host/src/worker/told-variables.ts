/**
 * Variables that the host answers itself, so that a component can find out what this host does for it. No component
 * has to declare them.
 */
import { OWN_STORE_VARIABLE, ownStoreOf } from '../kv/store-view.ts'
import type { ComponentManifest } from '../manifest/manifest.ts'

/**
 * The variable that says whether `x-forwarded-user` can be believed in a request of another component. It is `true`
 * here: `outbound/vouched-headers.ts` lets only the value of the client's request through. On Spin, which lets every
 * value through, it is undefined.
 */
const CHECKS_FORWARDED_VARIABLE = 'host_checks_forwarded'

/** What the manifest declares is not overwritten. */
export function toldByHost(component: ComponentManifest): ReadonlyMap<string, string> {
  const told = new Map([[CHECKS_FORWARDED_VARIABLE, 'true']])
  const ownStore = ownStoreOf(component)
  if (ownStore !== undefined) told.set(OWN_STORE_VARIABLE, ownStore)
  for (const name of [...told.keys()]) {
    if (Object.hasOwn(component.variables, name)) told.delete(name)
  }
  return told
}
