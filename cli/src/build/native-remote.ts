/** The source of the component `remote` for the host's own engine, as `native-gateway.ts` has that of the gateway. */
import { realpathSync } from 'node:fs'
import { dirname } from 'node:path'
import { folderOfCommand } from './kept-bundle.ts'
import { keptIn, nativeBundle, type NativeSource } from './native-bundle.ts'
import { own } from './own-module-path.ts'

/** Whether a component may be it, by its manifest. */
export function mayBeRemote({
  variables,
}: {
  variables: Readonly<Record<string, unknown>>
}): boolean {
  return Object.hasOwn(variables, 'remote_servers')
}

/** @param entry path of the module that a component is built of. */
export function isRemote(entry: string): boolean {
  try {
    return realpathSync(entry) === own('#remote')
  } catch {
    return false
  }
}

/** Of the component that comes with this command, and of no other. */
export function nativeRemote(folder = folderOfCommand()): Promise<NativeSource> {
  const entry = own('#remote')
  const [serve, platform] = ['ftl-sdk/serve', 'ftl-platform/native'].map((name) =>
    JSON.stringify(own(name)),
  )
  // What `ftl build` writes in front of a component, for another host.
  const contents = `import * as entry from ${JSON.stringify(entry)}
import { toComponent } from ${serve}
import { nativePlatform } from ${platform}
export function createNative(_, name) {
  const component = toComponent(entry, name)
  return (request, host) => component.fetch(request, nativePlatform(host))
}
`
  return nativeBundle(keptIn(folder, 'remote'), { contents, resolveDir: dirname(entry) })
}
