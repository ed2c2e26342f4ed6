/** Notes in a component of ours which source it was built of, so that a host with the same source can run that instead. */
import { createHash } from 'node:crypto'
import { withMark } from 'ftl-host'
import type { BuildTarget } from './bundles.ts'
import type { NativeSource } from './native-bundle.ts'
import { nativeGateway } from './native-gateway.ts'
import { isRemote, nativeRemote } from './native-remote.ts'
import { own } from './own-module-path.ts'

/** @returns `undefined` for every component but the gateway and `remote` that come with this command. */
export async function nativeFor({
  entry,
  members,
  skills = [],
}: Pick<BuildTarget, 'entry' | 'members' | 'skills'>): Promise<NativeSource | undefined> {
  if (members) return undefined
  if (entry === own('ftl-gateway')) return nativeGateway()
  return skills.length === 0 && isRemote(entry) ? nativeRemote() : undefined
}

/** The component with a mark of its source, if there is something to mark. */
export async function marked(target: BuildTarget, component: Uint8Array): Promise<Uint8Array> {
  const native = await nativeFor(target)
  if (!native) return component
  const source = createHash('sha256').update(native.code).digest('hex')
  const { without = [], server } = target
  return withMark(component, { source, without, ...(server && { server }) })
}
