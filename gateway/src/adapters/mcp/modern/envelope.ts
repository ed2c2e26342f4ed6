/**
 * The protocol fields in `_meta` of every modern request.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/index#meta
 */
import { isObject, isString, type LogLevel } from 'ftl-contract'
import { isLogLevel } from '../../../invoke/answer-lines.ts'
import { invalidParams, RpcFailure } from '../json-rpc.ts'

const PREFIX = 'io.modelcontextprotocol/'

export const VERSION_KEY = `${PREFIX}protocolVersion`
export const CAPABILITIES_KEY = `${PREFIX}clientCapabilities`
const CLIENT_KEY = `${PREFIX}clientInfo`
const LOG_LEVEL_KEY = `${PREFIX}logLevel`
/** In the `_meta` of every result. */
export const SERVER_KEY = `${PREFIX}serverInfo`

export interface Envelope {
  version: string
  capabilities: Record<string, unknown>
  logLevel?: LogLevel
}

/** What is wrong with it, if anything; the first of several. */
export function envelopeProblem(meta: Record<string, unknown>): string | undefined {
  const client = meta[CLIENT_KEY]
  if (!isString(meta[VERSION_KEY])) return `${VERSION_KEY} must be a string`
  if (!isObject(meta[CAPABILITIES_KEY])) return `${CAPABILITIES_KEY} must be an object`
  if (client !== undefined && !isObject(client)) return `${CLIENT_KEY} must be an object`
  if (meta[LOG_LEVEL_KEY] !== undefined && !isLogLevel(meta[LOG_LEVEL_KEY])) {
    return `${LOG_LEVEL_KEY} must be a log level`
  }
  return undefined
}

/** @throws {RpcFailure} with status 400. */
export function readEnvelope(meta: Record<string, unknown>): Envelope {
  const problem = envelopeProblem(meta)
  if (problem !== undefined) throw new RpcFailure(invalidParams(`_meta: ${problem}`).error, 400)
  return {
    version: meta[VERSION_KEY] as string,
    capabilities: meta[CAPABILITIES_KEY] as Record<string, unknown>,
    logLevel: meta[LOG_LEVEL_KEY] as LogLevel | undefined,
  }
}
