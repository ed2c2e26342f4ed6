/**
 * The running application: the host on the manifest, with the log lines and errors of its components.
 *
 * @module
 */
import { PortInUseError, startHost, type Host } from 'ftl-host'
import type { HostFlags } from './commands/options.ts'
import { CommandFailure, isAddressInUse } from './failure.ts'
import type { Application } from './targets.ts'
import { line, paint, prepareReporter } from './ui.ts'

export async function serve(
  { manifest, cacheFolder }: Application,
  { listen, variable, stateDir }: Omit<HostFlags, 'from'>,
): Promise<Host> {
  try {
    return await startHost({
      manifest: manifest.file,
      listen,
      variables: variable,
      cacheDir: cacheFolder,
      ...(stateDir === undefined ? {} : { stateDir }),
      onProgress: prepareReporter(),
      onLog: ({ component, line: text }) => line(`${paint('dim', `[${component}]`)} ${text}`),
      onError: ({ component, message }) => line(`${paint('red', `[${component}]`)} ${message}`),
    })
  } catch (error) {
    if (error instanceof PortInUseError || isAddressInUse(error))
      throw portTaken('gateway', listen, '--listen')
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
