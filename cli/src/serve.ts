/**
 * The running application: the host on the manifest, with the log lines and errors of its components.
 *
 * @module
 */
import {
  type Host,
  loadRuntimeConfig,
  PortInUseError,
  startHost,
  StateDirInUseError,
} from 'ftl-host'
import type { HostFlags } from './commands/host-options.ts'
import { componentOutput } from './component-output.ts'
import { CommandFailure, isAddressInUse } from './failure.ts'
import type { Application } from './targets.ts'
import { line, paint, prepareReporter } from './ui.ts'

export interface ServeOptions {
  /** Ids of the components to serve. @default all */
  components?: readonly string[]
  /** Where lines for people go. @default standard output */
  print?: (text: string) => void
  /** Shows how components are prepared. @default true */
  progress?: boolean
}

export async function serve(
  { manifest, cacheFolder }: Application,
  flags: Omit<HostFlags, 'from'>,
  { components, print = line, progress = true }: ServeOptions = {},
): Promise<Host> {
  const { listen, profile, stateDir, runtimeConfigFile, maxInstanceMemory } = flags
  const onLog = componentOutput({
    components: components ?? [...manifest.components.keys()],
    follow: flags.follow,
    quiet: flags.quiet ?? false,
    logDir:
      flags.logDir ?? (runtimeConfigFile && (await loadRuntimeConfig(runtimeConfigFile)).logDir),
    truncate: flags.truncateLogs ?? false,
    print,
  })
  try {
    return await startHost({
      manifest: manifest.file,
      ...{ listen, profile, components, stateDir, runtimeConfigFile },
      variables: flags.variable,
      environment: flags.env,
      keyValues: flags.keyValue,
      cacheDir: cacheFolder,
      ...(maxInstanceMemory !== undefined && { maxInstanceMemory }),
      ...(progress && { onProgress: prepareReporter() }),
      onLog,
      onError: ({ component, message }) => print(`${paint('red', `[${component}]`)} ${message}`),
    })
  } catch (error) {
    if (error instanceof PortInUseError || isAddressInUse(error)) {
      throw portTaken('gateway', listen, '--listen')
    }
    if (error instanceof StateDirInUseError) throw new CommandFailure(error.message)
    throw error
  }
}

export function portTaken(what: string, address: string, flag: string): CommandFailure {
  const port = address.replace(/^.*:/, '')
  return new CommandFailure(
    `${address} is already in use, so the ${what} cannot listen there.\n` +
      `Stop the program that uses port ${port} (lsof -i :${port} names it), or choose another port with ${flag}.`,
  )
}
