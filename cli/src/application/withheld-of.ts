/** Which interfaces a component is built without, because its manifest gives it nothing to use them for. */
import type { Manifest } from 'ftl-host'
import type { BuildTarget, Withheld } from '../build/index.ts'

/** What no component with this file may use. */
export function withheldOf(
  { components }: Manifest,
  source: string,
): Pick<BuildTarget, 'withheld'> {
  const same = [...components.values()].filter((each) => each.source === source)
  const withheld: Withheld[] = []
  if (same.every((each) => each.allowedOutboundHosts.length === 0)) {
    withheld.push('wasi:http/outgoing-handler')
  }
  if (same.every((each) => each.keyValueStores.length === 0))
    withheld.push('fermyon:spin/key-value')
  return withheld.length > 0 ? { withheld } : {}
}
