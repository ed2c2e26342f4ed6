/** Formats the failure of a command: cause and remedy, and a stack only with `--debug`. */
import type { MissingVariablesError, UndeclaredVariableError } from 'ftl-host'

/** A mistake of the user or a problem of the environment; its message explains it completely. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure'
  readonly exitCode: number

  /** @param exitCode of the command. */
  constructor(message: string, exitCode = 1) {
    super(message)
    this.exitCode = exitCode
  }
}

export function describeFailure(error: unknown, debug: boolean): string {
  if (!(error instanceof Error)) return `ftl: ${String(error)}`
  if (debug) return error.stack ?? error.message
  if (EXPLAINED.includes(error.name)) return `ftl: ${error.message}${wayOut(error)}`
  return `ftl: ${error.message}\n(ftl --debug shows where)`
}

/** Names of errors whose messages are written for users. By name, because loading the host would delay each command. */
const EXPLAINED: readonly string[] = [
  'BuildError',
  'BuildErrors',
  'CommandFailure',
  'ManifestError',
  'MissingVariablesError',
  'PrepareError',
  'UndeclaredVariableError',
  'VariableSourceError',
]

/** Remedies that the host cannot name, because it does not know how the user builds and starts. */
function wayOut(error: Error): string {
  if (isMissingVariables(error)) {
    const [name = ''] = error.variables
    return `\nSet them in the environment, put them into .env, or start with --variable ${name}=…`
  }
  const [, component] = /^component "([^"]+)": .* does not exist; build/.exec(error.message) ?? []
  if (error.name === 'PrepareError' && component !== undefined) {
    return `\nRun "ftl build ${component}", or "ftl build" for all components, or start with "ftl up --build".`
  }
  return ''
}

function isMissingVariables(error: Error): error is MissingVariablesError {
  return error.name === 'MissingVariablesError'
}

/** A remedy that takes a look at the application, to follow the failure. */
export async function furtherHelp(error: unknown): Promise<string> {
  if (!isUndeclaredVariable(error)) return ''
  const { declarationHelp } = await import('../declarations/declaration-lines.ts')
  return `\n${declarationHelp(error.variable, error.manifest)}`
}

function isUndeclaredVariable(error: unknown): error is UndeclaredVariableError {
  return error instanceof Error && error.name === 'UndeclaredVariableError' && 'manifest' in error
}
