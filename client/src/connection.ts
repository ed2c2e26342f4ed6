/** One attempt to connect to a server: its transport, and the official client on it. */
import type { VersionNegotiationMode } from '@modelcontextprotocol/client'
import { ConfigError } from './errors.ts'
import { type Answers, capabilitiesOf, register } from './answers-to-server.ts'
import {
  type HttpConfig,
  isHttp,
  type ProtocolChoice,
  type ServerConfig,
} from './config/server-config.ts'
import { HttpTransport } from './transport/http-transport.ts'
import { PendingRequests } from './transport/pending-requests.ts'
import type { Patience } from './transport/process-tree.ts'
import { ProcessTransport } from './transport/process-transport.ts'
import { Wire } from './wire.ts'

export interface ConnectionOptions extends Patience {
  /** Name of the server, for messages and spans. @default 'server' */
  name?: string
  /** How the client introduces itself. @default ftl-client */
  info?: { name: string; version: string }
  /** Handlers for requests of the server. @default none */
  answers?: Answers
  /** Listens for changes of the server's tools. A program that ends after one call need not. @default true */
  watchTools?: boolean
  /** Called with each chunk that the server writes to stderr. */
  onStderr?: (text: string) => void
}

export interface Connection {
  wire: Wire
  transport: HttpTransport | ProcessTransport
}

const INFO = { name: 'ftl-client', version: '0.1.0' }
/** Limit of pages in a list, because a server may page in circles. */
const MOST_PAGES = 1000
/**
 * Milliseconds a process has to answer the probe for the newest revision; then the older handshake is sent too. Some
 * servers ignore unknown requests, and cost this time. For one that only starts slowly, see `Link.negotiate`.
 */
const PROBE_MS = 2000

const PROTOCOLS: readonly ProtocolChoice[] = ['auto', 'legacy', '2026-07-28']

/** Starts the process or prepares the HTTP transport; sends nothing yet. @throws {ConfigError} {@link ProcessError} */
export async function openConnection(
  config: ServerConfig,
  protocol: ProtocolChoice,
  options: ConnectionOptions,
  onToolsChanged: () => void,
): Promise<Connection> {
  if (!PROTOCOLS.includes(protocol)) {
    const known = PROTOCOLS.join(', ')
    throw new ConfigError('protocol', `"${String(protocol)}" must be one of ${known}`)
  }
  const { name = 'server', info = INFO, answers = {}, watchTools = true } = options
  const pending = new PendingRequests()
  const transport = isHttp(config)
    ? new HttpTransport(config, { name, pending, ...(await authenticated(config)) })
    : await ProcessTransport.spawn(config, { ...options, name, pending })
  const wire = new Wire(info, pending, {
    capabilities: capabilitiesOf(answers),
    versionNegotiation: {
      mode: modeOf(protocol),
      // A pinned revision has no other handshake to turn to: the timeout of the whole connection holds.
      ...(!isHttp(config) && protocol === 'auto' && { probe: { timeoutMs: PROBE_MS } }),
    },
    listMaxPages: MOST_PAGES,
    ...(watchTools && {
      listChanged: { tools: { autoRefresh: false, debounceMs: 0, onChanged: onToolsChanged } },
    }),
  })
  register(wire, answers)
  return { wire, transport }
}

function modeOf(protocol: ProtocolChoice): VersionNegotiationMode {
  return protocol === '2026-07-28' ? { pin: protocol } : protocol
}

async function authenticated(config: HttpConfig): Promise<{ fetch?: typeof fetch }> {
  if (config.auth === undefined) return {}
  // Loaded for servers that need it only.
  const { configuredFetch } = await import('./auth/configured-fetch.ts')
  return { fetch: await configuredFetch(config.url, config.auth) }
}
