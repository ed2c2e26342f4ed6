/** Chooses the MCP servers a command connects to, and maps their failures to exit codes. */
import { existsSync, readFileSync } from 'node:fs'
import {
  AuthenticationError,
  ClientError,
  ConnectionError,
  type ErrorKind,
  Manager,
  type ManagerOptions,
  parseConfig,
  type ServerConfig,
} from 'ftl-client'
import { CommandFailure } from '../terminal/failure.ts'
import { type Found, findRunning, howToStart } from '../running/find.ts'
import { onSignal } from '../serve/signals.ts'
import { clientFlagsOf, storedAuth } from '../sign-in/client-options.ts'
import { offerSignIn, signInHint } from '../sign-in/offer-sign-in.ts'
import { note } from '../terminal/terminal.ts'
import { line } from '../terminal/ui.ts'
import { visible, visibleJson } from '../terminal/visible-text.ts'
import { addressProblem, addressWithPath } from './server-address.ts'
import { CONFIG_FILES, type ServerFlags } from './server-options.ts'
import { TOKEN_VARIABLE, tokenHeader } from './token-option.ts'

export const EXIT = {
  /** The tool succeeded, and a file of its result could not be saved. */
  notSaved: 4,
  toolFailed: 5,
  cancelled: 130,
} as const

const EXIT_CODES: Record<ErrorKind, number> = {
  state: 1,
  config: 1,
  'unknown-server': 1,
  denied: 1,
  process: 4,
  connection: 4,
  authentication: 4,
  rpc: 6,
  timeout: 7,
  violation: 8,
  cancelled: EXIT.cancelled,
}

/**
 * The servers the flags name, else the application of this folder.
 *
 * @throws {CommandFailure} @throws {ConfigError} @throws {ConnectionError}
 */
export async function chosenServers(flags: ServerFlags): Promise<Record<string, ServerConfig>> {
  const { server, url, header, protocol } = flags
  if (url !== undefined && (server !== undefined || flags.config !== undefined)) {
    throw new CommandFailure('give --url, or --config and --server, and not both')
  }
  const path = flags.config ?? (server === undefined ? undefined : CONFIG_FILES.find(existsSync))
  if (server !== undefined && path === undefined) {
    throw new CommandFailure(`there is no ${CONFIG_FILES.join(' and no ')} here: give --config`)
  }
  const problem = url === undefined ? undefined : addressProblem(url)
  if (problem !== undefined) throw new CommandFailure(visible(problem))
  // A server of a configuration file has its own headers: this token is not for it.
  const headers = { ...tokenHeader(flags.token), ...header }
  // A person is not a model: the list may be as long as it is.
  const all: Record<string, ServerConfig> =
    path === undefined
      ? { gateway: { url: url ?? `${await ownServer()}?tools=all`, headers } }
      : parseConfig(readConfig(path))
  const signedIn = await withSignIn(all)
  const names = server === undefined ? Object.keys(all) : [server]
  return Object.fromEntries(
    names.map((name) => {
      const config = signedIn[name]
      if (config) return [name, { ...config, protocol: protocol ?? config.protocol }]
      const known = Object.keys(all).join(', ') || 'none'
      throw new CommandFailure(`${path} has no server "${name}"; it has: ${known}`)
    }),
  )
}

/** @throws {ConnectionError} where the application of this folder is not served. */
async function ownServer(): Promise<string> {
  const found = await findRunning()
  if (found.url !== undefined) return found.url
  throw new ConnectionError(howToStart(found))
}

/** Uses stored sign-ins, except where the user gives a token, or names how to authenticate. */
async function withSignIn(
  servers: Readonly<Record<string, ServerConfig>>,
): Promise<Record<string, ServerConfig>> {
  const { mayHaveToken } = await import('ftl-client/auth')
  const auth = storedAuth(clientFlagsOf(process.env))
  const needsSignIn = (config: ServerConfig) =>
    'url' in config &&
    config.auth === undefined &&
    !Object.keys(config.headers ?? {}).some((name) => name.toLowerCase() === 'authorization') &&
    mayHaveToken(config.url)
  const entries = Object.entries(servers).map(([name, config]) => [
    name,
    needsSignIn(config) ? { ...config, auth } : config,
  ])
  return Object.fromEntries(entries) as Record<string, ServerConfig>
}

type Work = (manager: Manager, signal: AbortSignal) => Promise<number>

/**
 * Runs `work` with a manager, and always closes it; Ctrl-C aborts the signal. Sets the exit code. If the server requires
 * sign-in and a person is at the terminal, it offers that, and runs `work` once more.
 */
export async function withManager(
  flags: ServerFlags,
  work: Work,
  options: ManagerOptions = {},
): Promise<void> {
  const signedIn = await attempt(flags, work, options, offerSignIn)
  if (signedIn) await attempt(flags, work, options)
}

/** @returns whether it failed, and the user has signed in since. */
async function attempt(
  flags: ServerFlags,
  work: Work,
  options: ManagerOptions,
  offer?: (error: AuthenticationError) => Promise<boolean>,
): Promise<boolean> {
  const stop = new AbortController()
  const ignoreSignals = onSignal(() => stop.abort(), ['SIGINT', 'SIGTERM'])
  // A command ends before a list can change.
  const manager = new Manager({ watchTools: false, ...options })
  try {
    process.exitCode = await work(manager, stop.signal)
  } catch (error) {
    if (!(error instanceof ClientError)) throw error
    process.exitCode = reportFailure(error, flags.json)
    if (error instanceof AuthenticationError && flags.json !== true) {
      const isSignedIn = await offer?.(error)
      if (isSignedIn === true) return true
    }
    const hint = flags.json === true ? undefined : await hintFor(error, flags)
    if (hint !== undefined) note(hint)
  } finally {
    await manager.close()
    ignoreSignals()
  }
  return false
}

/** What to do about a server that does not answer as one; `undefined` where the error says everything. */
async function hintFor(error: ClientError, flags: ServerFlags): Promise<string | undefined> {
  if (error instanceof AuthenticationError) return signInHint(error)
  if (flags.config !== undefined || flags.server !== undefined) return undefined
  if (!(error instanceof ConnectionError)) return undefined
  if (error.status === 401) {
    return flags.token === undefined
      ? `The server requires authentication: give --token, or set ${TOKEN_VARIABLE}.`
      : 'The server does not accept the token.'
  }
  // The server knows the caller, or has another reason, which its message gives.
  if (error.status === 403) return undefined
  // A server of this folder is known by its record: it answered a moment ago.
  if (flags.url === undefined) return undefined
  if (error.status !== undefined) {
    const meant = error.status === 404 ? addressWithPath(flags.url) : undefined
    return meant === undefined ? undefined : `Did you mean ${visible(meant)}?`
  }
  return elsewhere(await findRunning())
}

function elsewhere({ url, application }: Found): string {
  if (url !== undefined)
    return `The application of this folder is served at ${url}: leave --url out.`
  return application === undefined
    ? 'Check the address, and whether the server is running.'
    : howToStart({ application })
}

/** Prints the failure, and returns its exit code. */
function reportFailure(error: ClientError, asJson = false): number {
  const { kind, message } = error
  if (asJson) {
    const code = 'code' in error ? error.code : undefined
    line(visibleJson(JSON.stringify({ error: { kind, code, message } })))
  } else {
    note(`ftl: ${message}`)
  }
  return EXIT_CODES[kind]
}

/** The same, and what to do about a server that requires sign-in. */
export function reportWithHint(error: ClientError): number {
  const code = reportFailure(error)
  const hint = error instanceof AuthenticationError ? signInHint(error) : undefined
  if (hint !== undefined) note(hint)
  return code
}

function readConfig(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new CommandFailure(`${path} cannot be read: ${(error as Error).message}`)
  }
}
