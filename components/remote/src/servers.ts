/** The variable `remote_servers`: the MCP servers that this component connects to. */
import { isObject } from 'ftl-contract'
import { type Consent, readAuth } from './consent/settings.ts'
import type { Exchange } from './exchange/settings.ts'
import { LEGACY } from './wire/connect.ts'
import { MODERN } from './wire/request.ts'

/** A server of the variable, with defaults filled in. */
export interface RemoteServer {
  /** Letters, digits, `_` and `-`; used in messages, and as prefix of tool names that another server has too. */
  name: string
  url: string
  /** Sent with every request. Every value is treated as a secret: from 8 characters on, it is redacted in answers. */
  headers: Record<string, string>
  /** Tools and prompts, by the server's own names, and addresses of resources, that are neither listed nor can be used. */
  denied: string[]
  /** Prefix of every tool name. */
  prefix: string
  /** Milliseconds for one call; the caller's deadline may be shorter. */
  timeoutMs: number
  /** Milliseconds before its list of tools is requested again, unless the server sends its own `ttlMs`. */
  ttlMs: number
  /** Whether clients get what it says about the use of its tools, or what they get instead. @default they get nothing */
  instructions?: true | string
  /** Its revision of the protocol. @default the server is asked */
  protocol?: string
  /** Each user signs in at the server, or their token is exchanged. @default `headers` for all users */
  auth?: Consent | Exchange
}

export interface RemoteServers {
  servers: RemoteServer[]
  /** Why entries are left out, one line each; values that may be secret are not quoted. */
  problems: string[]
}

const MAX_SERVERS = 32
const DEFAULT_TIMEOUT_MS = 30_000
const DEFAULT_TTL_MS = 60_000
const MAX_MS = 3_600_000

const NAME = /^[A-Za-z0-9_-]{1,32}$/
const PREFIX = /^[A-Za-z0-9_.-]{0,32}$/
/** @see https://www.rfc-editor.org/rfc/rfc9110#section-5.6.2 */
const HEADER_NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/
const HEADER_VALUE = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/
/** Headers that this component or the host sets. */
const OWN_HEADER =
  /^(?:accept|connection|content-.*|host|keep-alive|mcp-.*|te|trailer|transfer-encoding|upgrade)$/i
/** `type` is accepted because other configurations use it to select Streamable HTTP. */
const FIELDS = [
  'name',
  'url',
  'headers',
  'denied',
  'prefix',
  'timeoutMs',
  'ttlMs',
  'instructions',
  'protocol',
  'auth',
  'type',
]
const REVISIONS: unknown[] = [MODERN, ...LEGACY]
const TYPES: unknown[] = [undefined, 'http', 'streamable-http', 'streamableHttp']

/** Does not throw: an invalid entry is left out and reported in `problems`. */
export function parseServers(text: string): RemoteServers {
  if (text.trim() === '') return { servers: [], problems: [] }
  const entries = entriesOf(text)
  if (typeof entries === 'string') return { servers: [], problems: [`remote_servers: ${entries}`] }
  const servers: RemoteServer[] = []
  const problems: string[] = []
  for (const [label, entry] of entries) {
    const server = readServer(entry)
    const problem =
      typeof server === 'string'
        ? server
        : servers.some(({ name }) => name === server.name)
          ? 'another server has the same name'
          : servers.length === MAX_SERVERS
            ? `there are more than ${MAX_SERVERS} servers`
            : undefined
    if (problem !== undefined) problems.push(`remote_servers, ${label}: ${problem}`)
    else servers.push(server as RemoteServer)
  }
  return { servers, problems }
}

/** Accepts `[{ name, … }]`, `{ name: { … } }`, or the latter in `mcpServers`. A returned string is the problem. */
function entriesOf(text: string): [label: string, entry: unknown][] | string {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    // Do not use the parser's message: it quotes the text, which holds secrets.
    return 'it is not valid JSON'
  }
  if (Array.isArray(value)) {
    return value.map((entry: unknown, index) => [`server ${index + 1}`, entry])
  }
  if (!isObject(value)) return 'it must be an object or an array'
  const named = isObject(value['mcpServers']) ? value['mcpServers'] : value
  return Object.entries(named).map(([name, entry]) => [
    NAME.test(name) ? `"${name}"` : 'a server',
    isObject(entry) ? { ...entry, name } : entry,
  ])
}

/** A returned string is the problem. */
function readServer(entry: unknown): RemoteServer | string {
  if (!isObject(entry)) return 'it is not an object'
  // Reject unknown fields: a misspelt "denied" must not expose the tools it should deny.
  const unknown = Object.keys(entry).filter((field) => !FIELDS.includes(field))
  if (unknown.length > 0) return `it has a field that is not one of ${FIELDS.join(', ')}`
  const { name, url, headers = {}, denied = [], prefix = '', type, protocol, auth } = entry
  const { instructions = false } = entry
  const { timeoutMs = DEFAULT_TIMEOUT_MS, ttlMs = DEFAULT_TTL_MS } = entry
  if (typeof name !== 'string' || !NAME.test(name)) {
    return 'its name must be 1 to 32 letters, digits, "_" and "-"'
  }
  if (!TYPES.includes(type)) return 'its type must be "http": only Streamable HTTP is spoken'
  const problem = urlProblem(url) ?? headerProblem(headers)
  if (problem !== undefined) return problem
  if (!Array.isArray(denied) || !denied.every((tool) => typeof tool === 'string')) {
    return 'its denied must be an array of names of tools'
  }
  if (typeof prefix !== 'string' || !PREFIX.test(prefix)) {
    return 'its prefix must be at most 32 letters, digits, "_", "." and "-"'
  }
  if (!isDuration(timeoutMs, 1)) return `its timeoutMs must be a number from 1 to ${MAX_MS}`
  if (!isDuration(ttlMs, 0)) return `its ttlMs must be a number from 0 to ${MAX_MS}`
  if (protocol !== undefined && !REVISIONS.includes(protocol)) {
    return `its protocol must be one of ${REVISIONS.join(', ')}`
  }
  if (typeof instructions !== 'boolean' && typeof instructions !== 'string') {
    return 'its instructions must be true, false or a text'
  }
  const account = auth === undefined ? undefined : readAuth(auth, url as string)
  if (typeof account === 'string') return account
  return {
    name,
    url: url as string,
    headers: headers as Record<string, string>,
    denied,
    prefix,
    timeoutMs,
    ttlMs,
    ...(instructions !== false && { instructions }),
    ...(protocol !== undefined && { protocol: protocol as string }),
    ...(account && { auth: account }),
  }
}

function urlProblem(url: unknown): string | undefined {
  let parsed: URL
  try {
    parsed = new URL(typeof url === 'string' ? url : '')
  } catch {
    return 'its url is not a valid URL'
  }
  if (!/^https?:$/.test(parsed.protocol)) return 'its url must begin with http: or https:'
  return parsed.username !== '' || parsed.password !== ''
    ? 'its url must not hold a name and password: give headers'
    : undefined
}

function headerProblem(headers: unknown): string | undefined {
  if (!isObject(headers)) return 'its headers must be an object'
  for (const [name, value] of Object.entries(headers)) {
    if (!HEADER_NAME.test(name)) return 'its headers contain an invalid header name'
    if (OWN_HEADER.test(name)) return `its headers must not set ${name}`
    if (typeof value !== 'string' || !HEADER_VALUE.test(value)) {
      return `its header ${name} must be a text of printable ASCII`
    }
  }
  return undefined
}

function isDuration(value: unknown, least: number): value is number {
  return typeof value === 'number' && value >= least && value <= MAX_MS
}
