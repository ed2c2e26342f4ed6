/** The level of the log of a session. Servers of 2026-07-28 have none: they get the level with each request. */
import { LOG_LEVELS } from 'ftl-contract'
import type { RemoteServer } from '../servers.ts'
import { ask } from './exchange.ts'
import { RemoteError } from './remote-error.ts'
import { type Call, type Connection, MODERN, type Network } from './request.ts'

/** Milliseconds of a call, at most a third of it, for a server that does not answer. */
const LONGEST_MS = 5_000

/**
 * Sets the level that the caller wants, if the session has a more severe one. A less severe level stays: calls of the same
 * session that run at the same time may want it, and no caller gets lines below its own level.
 *
 * Does not throw: without the log, the call works. If the session has ended, the call learns it, too.
 */
export async function withLogLevel(
  network: Network,
  server: RemoteServer,
  connection: Connection,
  { logLevel, timeoutMs, limit }: Pick<Call, 'logLevel' | 'timeoutMs' | 'limit'>,
): Promise<Connection> {
  const { revision, session, features = [], logLevel: known } = connection
  if (logLevel === undefined || revision === MODERN || session === undefined) return connection
  if (!features.includes('logging') || (known && severity(known) <= severity(logLevel))) {
    return connection
  }
  await ask(network, server, connection, {
    method: 'logging/setLevel',
    params: { level: logLevel },
    timeoutMs: Math.min(timeoutMs / 3, LONGEST_MS),
    limit,
  }).catch((error: unknown) => {
    if (!(error instanceof RemoteError)) throw error
  })
  return { ...connection, logLevel }
}

const severity = (level: (typeof LOG_LEVELS)[number]) => LOG_LEVELS.indexOf(level)
