/** Chooses the MCP servers a command connects to, and maps their failures to exit codes. */
import { existsSync, readFileSync } from 'node:fs'
import {
  ClientError,
  ConnectionError,
  type ErrorKind,
  Manager,
  parseConfig,
  type ServerConfig,
} from 'ftl-client'
import { CommandFailure } from '../failure.ts'
import { printable } from '../visible-text.ts'
import { CONFIG_FILES, GATEWAY_URL, type ServerFlags } from './server-options.ts'

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
  rpc: 6,
  timeout: 7,
  violation: 8,
  cancelled: EXIT.cancelled,
}

/** The servers the flags name. @throws {CommandFailure} @throws {ConfigError} */
export function chosenServers(flags: ServerFlags): Record<string, ServerConfig> {
  const { server, url, header, protocol } = flags
  if (url !== undefined && (server !== undefined || flags.config !== undefined)) {
    throw new CommandFailure('give --url, or --config and --server, and not both')
  }
  const path = flags.config ?? (server === undefined ? undefined : CONFIG_FILES.find(existsSync))
  if (server !== undefined && path === undefined) {
    throw new CommandFailure(`there is no ${CONFIG_FILES.join(' and no ')} here: give --config`)
  }
  const address = { url: url ?? GATEWAY_URL, headers: header }
  const all: Record<string, ServerConfig> =
    path === undefined ? { gateway: address } : parseConfig(readConfig(path))
  const names = server === undefined ? Object.keys(all) : [server]
  return Object.fromEntries(
    names.map((name) => {
      const config = all[name]
      if (config) return [name, { ...config, protocol: protocol ?? config.protocol }]
      const known = Object.keys(all).join(', ') || 'none'
      throw new CommandFailure(`${path} has no server "${name}"; it has: ${known}`)
    }),
  )
}

/** Runs `work` with a manager, and always closes it; Ctrl-C aborts the signal. Sets the exit code. */
export async function withManager(
  flags: ServerFlags,
  work: (manager: Manager, signal: AbortSignal) => Promise<number>,
): Promise<void> {
  const stop = new AbortController()
  const onSignal = () => stop.abort()
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, onSignal)
  const manager = new Manager()
  try {
    process.exitCode = await work(manager, stop.signal)
  } catch (error) {
    if (!(error instanceof ClientError)) throw error
    process.exitCode = reportFailure(error, flags.json)
    const isGateway = flags.config === undefined && flags.server === undefined
    if (isGateway && isUnreachable(error) && flags.json !== true) {
      console.error('Start it with "ftl start", or give the address of another server with --url.')
    }
  } finally {
    for (const name of ['SIGINT', 'SIGTERM'] as const) process.off(name, onSignal)
    await manager.close()
  }
}

const isUnreachable = (error: ClientError) =>
  error instanceof ConnectionError && error.status === undefined

/** Prints the failure, and returns its exit code. */
export function reportFailure(error: ClientError, asJson = false): number {
  const { kind, message } = error
  if (asJson) {
    const code = 'code' in error ? error.code : undefined
    process.stdout.write(`${JSON.stringify({ error: { kind, code, message } })}\n`)
  } else {
    console.error(`ftl: ${printable(message, process.stderr)}`)
  }
  return EXIT_CODES[kind]
}

function readConfig(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new CommandFailure(`${path} cannot be read: ${(error as Error).message}`)
  }
}
