/** Notes in a gateway's component which source it was built of, so that a host with the same source can run that instead. */
import { createHash } from 'node:crypto'
import { withMark } from 'ftl-host'
import type { BuildTarget } from './bundles.ts'
import { nativeGateway, type NativeSource } from './native-gateway.ts'
import { own } from './own-module-path.ts'

/** @returns `undefined` for every component but the gateway that comes with this command. */
export async function nativeFor({
  entry,
  members,
}: Pick<BuildTarget, 'entry' | 'members'>): Promise<NativeSource | undefined> {
  return members || entry !== own('ftl-gateway') ? undefined : nativeGateway()
}

/** The component with a mark of its source, if there is something to mark. */
export async function marked(target: BuildTarget, component: Uint8Array): Promise<Uint8Array> {
  const native = await nativeFor(target)
  if (!native) return component
  const source = createHash('sha256').update(native.code).digest('hex')
  const { without = [], server } = target
  return withMark(component, { source, without, ...(server && { server }) })
}
