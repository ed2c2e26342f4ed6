/**
 * What a user reads when a command fails: the cause and the way out, never a stack unless asked for.
 *
 * @module
 */
import { BuildError } from './build/index.ts'

/** A mistake of the user's or of the surroundings; its message is the whole explanation. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure'
}

export function describeFailure(error: unknown, debug: boolean): string {
  if (!(error instanceof Error)) return `ftl: ${String(error)}`
  if (debug) return error.stack ?? error.message
  if (error instanceof BuildError || error instanceof CommandFailure) return `ftl: ${error.message}`
  return `ftl: ${error.message}\n(ftl --debug shows where)`
}

/** Whether `error` says that an address is taken, whoever threw it. */
export function isAddressInUse(error: unknown): boolean {
  return (
    error instanceof Error &&
    ('code' in error ? error.code === 'EADDRINUSE' : false || error.name === 'PortInUseError')
  )
}
