/**
 * What a user reads when a command fails: the cause and the way out, never a stack unless asked for.
 *
 * @module
 */
import { ManifestError, MissingVariablesError, PrepareError, VariableSourceError } from 'ftl-host'
import { BuildError } from './build/index.ts'

/** A mistake of the user's or of the surroundings; its message is the whole explanation. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure'
}

export function describeFailure(error: unknown, debug: boolean): string {
  if (!(error instanceof Error)) return `ftl: ${String(error)}`
  if (debug) return error.stack ?? error.message
  if (isExplained(error)) return `ftl: ${error.message}${wayOut(error)}`
  return `ftl: ${error.message}\n(ftl --debug shows where)`
}

/** Their messages are meant for users. */
function isExplained(error: Error): boolean {
  const kinds = [
    BuildError,
    CommandFailure,
    ManifestError,
    MissingVariablesError,
    PrepareError,
    VariableSourceError,
  ]
  return kinds.some((kind) => error instanceof kind)
}

/** What the host cannot know: how its user builds and starts. */
function wayOut(error: Error): string {
  if (error instanceof MissingVariablesError) {
    const [name = ''] = error.variables
    return `\nSet them in the environment, put them into .env, or start with --variable ${name}=…`
  }
  const [, component] = /^component "([^"]+)": .* does not exist; build/.exec(error.message) ?? []
  if (error instanceof PrepareError && component !== undefined) {
    return `\nRun "ftl build ${component}", or start with "ftl up --build".`
  }
  return ''
}

/** Whether `error` says that an address is taken, whoever threw it. */
export function isAddressInUse(error: unknown): boolean {
  return (
    error instanceof Error &&
    ('code' in error ? error.code === 'EADDRINUSE' : false || error.name === 'PortInUseError')
  )
}
