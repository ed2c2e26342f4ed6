/** Formats the failure of a command: cause and remedy, and a stack only with `--debug`. */
import { ManifestError, MissingVariablesError, PrepareError, VariableSourceError } from 'ftl-host'
import { BuildError, BuildErrors } from './build/index.ts'

/** A mistake of the user or a problem of the environment; its message explains it completely. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure'
}

export function describeFailure(error: unknown, debug: boolean): string {
  if (!(error instanceof Error)) return `ftl: ${String(error)}`
  if (debug) return error.stack ?? error.message
  if (isExplained(error)) return `ftl: ${error.message}${wayOut(error)}`
  return `ftl: ${error.message}\n(ftl --debug shows where)`
}

/** Whether the message is written for users. */
function isExplained(error: Error): boolean {
  const kinds = [
    BuildError,
    BuildErrors,
    CommandFailure,
    ManifestError,
    MissingVariablesError,
    PrepareError,
    VariableSourceError,
  ]
  return kinds.some((kind) => error instanceof kind)
}

/** Remedies that the host cannot name, because it does not know how the user builds and starts. */
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
