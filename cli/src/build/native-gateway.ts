/**
 * The gateway's source for the host's own engine.
 *
 * `ftl build` notes in a gateway's component which source it was built of, and `ftl up` gives this source to the host. The host
 * runs it instead of the component if both are the same.
 */
import { folderOfCommand } from './kept-bundle.ts'
import { keptIn, nativeBundle, type NativeSource } from './native-bundle.ts'
import { own } from './own-module-path.ts'

/** Of the gateway that comes with this command, and of no other. */
export function nativeGateway(folder = folderOfCommand()): Promise<NativeSource> {
  return nativeBundle(keptIn(folder, 'gateway'), own('ftl-gateway/native'))
}
