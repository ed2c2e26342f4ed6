/**
 * Negotiates the protocol revision with a server, and tells when a connection is over.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#backward-compatibility
 */
import { isObject } from 'ftl-contract'
import type { RemoteServer } from '../servers.ts'
import { ask, initialize, notify } from './exchange.ts'
import { RemoteError } from './remote-error.ts'
import { type Connection, MODERN, type Network } from './request.ts'

/** Returns the milliseconds that are left, at least one. */
export type Left = () => number

const NEWEST_LEGACY = '2025-11-25'
export const LEGACY = [NEWEST_LEGACY, '2025-06-18', '2025-03-26', '2024-11-05']
/** Only 2026-07-28 has these: headers contradict the body, a capability is missing, the revision is unsupported. */
const MODERN_ERRORS: unknown[] = [-32020, -32021, -32022]
const UNSUPPORTED_VERSION = -32022
/** Of the time that is left, for a server that answers only what it knows. */
const DISCOVERY_SHARE = 1 / 3
const ANSWER_LIMIT = 256 * 1024

/** @throws {RemoteError} */
export async function connect(
  network: Network,
  server: RemoteServer,
  left: Left,
): Promise<Connection> {
  const limit = ANSWER_LIMIT
  const modern = await discovered(network, server, left)
  if (modern) return { revision: MODERN, ...modern }
  const params = { protocolVersion: server.protocol ?? NEWEST_LEGACY }
  const { result, session } = await initialize(network, server, {
    params,
    timeoutMs: left(),
    limit,
  })
  const { protocolVersion, capabilities, instructions } = result
  if (!LEGACY.includes(protocolVersion as string) || !isObject(capabilities)) {
    throw new RemoteError('violation', 'speaks no revision of the protocol that is known here')
  }
  const features = featuresOf(capabilities)
  const connection = {
    revision: protocolVersion as string,
    features,
    ...instructionsIn(server, instructions),
    ...(session && { session }),
  }
  await notify(network, server, connection, 'notifications/initialized')
  return connection
}

/** @returns what a server of 2026-07-28 says of itself; `undefined`: it is of an older revision. */
async function discovered(
  network: Network,
  server: RemoteServer,
  left: Left,
): Promise<Pick<Connection, 'features' | 'instructions'> | undefined> {
  if (server.protocol !== undefined) return server.protocol === MODERN ? {} : undefined
  try {
    const { supportedVersions, capabilities, instructions } = await ask(
      network,
      server,
      { revision: MODERN },
      {
        method: 'server/discover',
        params: {},
        timeoutMs: Math.max(1, Math.floor(left() * DISCOVERY_SHARE)),
        limit: ANSWER_LIMIT,
      },
    )
    const isModern = !Array.isArray(supportedVersions) || supportedVersions.includes(MODERN)
    return isModern
      ? {
          ...(isObject(capabilities) && { features: featuresOf(capabilities) }),
          ...instructionsIn(server, instructions),
        }
      : undefined
  } catch (error) {
    if (!(error instanceof RemoteError) || !mayBeLegacy(error)) throw error
    return undefined
  }
}

/** Characters of one server: some clients show their models no more. */
const MOST_INSTRUCTIONS = 2_000

function instructionsIn(
  server: RemoteServer,
  instructions: unknown,
): Pick<Connection, 'instructions'> {
  if (server.instructions !== true || typeof instructions !== 'string') return {}
  return { instructions: instructions.slice(0, MOST_INSTRUCTIONS).toWellFormed() }
}

const SKILLS = 'io.modelcontextprotocol/skills'

/** The names of the capabilities, with `skills` for a server that has the extension. */
function featuresOf({ extensions, ...others }: Record<string, unknown>): string[] {
  const names = Object.keys(others).filter((name) => name !== 'skills')
  const hasSkills = isObject(extensions) && Object.hasOwn(extensions, SKILLS)
  return hasSkills ? [...names, 'skills'] : names
}

/** Servers refuse a method that they do not know in any way: with a page, a status, silence, or by closing the connection. */
function mayBeLegacy({ code }: RemoteError): boolean {
  return !MODERN_ERRORS.includes(code) || code === UNSUPPORTED_VERSION
}

/**
 * Whether the server rejected a request because the connection is outdated: the session has ended, or the server was
 * replaced. The request did not run, so it can be sent again.
 */
export function isOver(error: unknown, { revision, session }: Connection): boolean {
  if (!(error instanceof RemoteError) || error.status === undefined) return false
  const { status, code } = error
  if (revision === MODERN) {
    if (code === UNSUPPORTED_VERSION) return true
    // An unknown method is also a 404, but with code -32601.
    return status === 400 || status === 404
      ? !MODERN_ERRORS.includes(code) && code !== -32601
      : false
  }
  return (
    status === 404 || (status === 400 && (session !== undefined || code === UNSUPPORTED_VERSION))
  )
}

/** Milliseconds before a connection is given up for an error that need not be about it. */
const BACK_OFF_MS = 15_000
/** Codes with which servers say that they do not know a session, where the status does not. */
const SESSION_ERRORS: unknown[] = [-32600, -32000, -32001]

/**
 * Whether an error may be about the session, although the specification has another answer for that: servers lose sessions
 * with 401, 410, 500 or an error in a 200. A connection that was just made is kept, so that a server with other trouble is
 * not asked for a session with each call.
 *
 * @returns `refused`: the request did not run; `doubtful`: it may have run.
 */
export function doubtOf(
  error: unknown,
  { session, madeAt = 0 }: Connection,
  now: number,
): 'refused' | 'doubtful' | undefined {
  if (!(error instanceof RemoteError) || session === undefined) return undefined
  if (now - madeAt < BACK_OFF_MS) return undefined
  const { status, code, message } = error
  if (status === undefined) {
    const isAboutIt = SESSION_ERRORS.includes(code) && /session/i.test(message)
    return isAboutIt ? 'refused' : undefined
  }
  if (status >= 500) return 'doubtful'
  return status === 401 || status === 410 ? 'refused' : undefined
}
