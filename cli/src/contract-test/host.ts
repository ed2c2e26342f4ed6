/** Runs the component alone on the embedded host, with every path reachable. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Host, type HostOptions, startHost } from 'ftl-host'

export interface Running {
  url: string
  close(): Promise<void>
}

export type Hosted = Pick<HostOptions, 'variables' | 'cacheDir' | 'onLog' | 'onError' | 'env'>

/** Runs a file without a manifest of its own: it may reach any address, and has the store `default`. */
export async function hostFile(file: string, options: Hosted = {}): Promise<Running> {
  const folder = await mkdtemp(join(tmpdir(), 'ftl-contract-'))
  const manifest = join(folder, 'spin.toml')
  await writeFile(manifest, manifestFor(file, Object.keys(options.variables ?? {})))
  const remove = () => rm(folder, { recursive: true, force: true })
  try {
    const host = await start({ ...options, manifest, cacheDir: options.cacheDir ?? folder })
    return { url: host.url, close: () => host.close().finally(remove) }
  } catch (error) {
    await remove()
    throw error
  }
}

/** Runs a component as `spin.toml` defines it: with its variables, files, stores and allowed hosts. */
export async function hostComponent(
  id: string,
  options: Hosted & Pick<HostOptions, 'manifest' | 'components' | 'profile'>,
): Promise<Running> {
  const host = await start({ ...options, expose: id })
  return { url: host.url, close: () => host.close() }
}

function start(options: Partial<HostOptions> & { manifest: string }): Promise<Host> {
  return startHost({
    listen: '127.0.0.1:0',
    // In memory, so that a test leaves nothing behind and does not see data of the running application.
    stateDir: '',
    workers: 2,
    drainMs: 500,
    ...options,
  })
}

function manifestFor(file: string, variables: string[]): string {
  const text = JSON.stringify
  return `spin_manifest_version = 2
[application]
name = "contract-test"
[variables]
${variables.map((name) => `${name} = { default = "" }`).join('\n')}
[[trigger.http]]
route = "/..."
component = "component"
[component.component]
source = ${text(file)}
key_value_stores = ["default"]
allowed_outbound_hosts = ["*://*:*", "*://localhost:*", "*://127.0.0.1:*", "*://[::1]:*"]
[component.component.variables]
${variables.map((name) => `${name} = ${text(`{{ ${name} }}`)}`).join('\n')}
`
}
