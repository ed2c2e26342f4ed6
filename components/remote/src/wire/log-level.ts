/** The level of the log of a session. Servers of 2026-07-28 have none: they get the level with each request. */
import type { RemoteServer } from '../servers.ts'
import { ask } from './exchange.ts'
import { RemoteError } from './remote-error.ts'
import { type Call, type Connection, MODERN, type Network } from './request.ts'

/**
 * Sets the level that the caller wants, if the session has another one. It stays for calls of the same user that want no
 * log: they do not get the lines.
 *
 * @throws {RemoteError} if the server cannot be reached or has lost the session.
 */
export async function withLogLevel(
  network: Network,
  server: RemoteServer,
  connection: Connection,
  { logLevel, timeoutMs, limit }: Pick<Call, 'logLevel' | 'timeoutMs' | 'limit'>,
): Promise<Connection> {
  const { revision, session, features = [] } = connection
  const isSet = logLevel === undefined || connection.logLevel === logLevel
  if (isSet || revision === MODERN || session === undefined || !features.includes('logging')) {
    return connection
  }
  const params = { level: logLevel }
  try {
    await ask(network, server, connection, { method: 'logging/setLevel', params, timeoutMs, limit })
  } catch (error) {
    // Without the log, the call works.
    const isRefused =
      error instanceof RemoteError && error.kind === 'rpc' && error.status === undefined
    if (!isRefused) throw error
  }
  return { ...connection, logLevel }
}
