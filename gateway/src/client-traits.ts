/**
 * What clients of agent frameworks cannot do, and what they get instead: one table.
 *
 * Most of them call themselves `mcp`, and before 2026-07-28 only `initialize` has a name, which nothing stores. So a client is
 * also known by its `User-Agent`, by what it copies into its calls, or because its address says it (`?client=crewai`).
 *
 * @see docs/clients.md, "Agent frameworks"
 */
import { isObject, isString } from 'ftl-contract'
import { addressOf } from 'ftl-http'

export interface ClientTraits {
  /**
   * Where links, sounds and files in results get a text; `one`: all texts are one, for a client that reads the first only.
   *
   * @default nowhere
   */
  readonly links?: 'beside' | 'text' | 'one' | undefined
  /** Maximum milliseconds that a call waits for a job. @default `wait_limit_ms` */
  readonly waitMs?: number | undefined
  /** It sends a call again that it has given up: the same arguments mean the same job. @default false */
  readonly repeats?: boolean | undefined
  /** Its lists have the simple form of schemas. @default false */
  readonly simple?: boolean | undefined
  /** It shows a model no errors, so that one has to be a result. @default false */
  readonly losesErrors?: boolean | undefined
}

export const WAIT_KEY = 'ftl/wait_ms'

/**
 * {@link WAIT_KEY} of a tool that starts jobs, as it is listed: openai-agents copies it into its calls, which it ends after five
 * seconds.
 */
export const LISTED_WAIT_MS = 4_000
export const LISTED_WAIT = { [WAIT_KEY]: LISTED_WAIT_MS }

const NONE: ClientTraits = {}
const BESIDE: ClientTraits = { links: 'beside' }
const SIMPLE: ClientTraits = { links: 'text', simple: true }
/** It ends a call after 30 seconds. */
const THIRTY: ClientTraits = { links: 'beside', simple: true, waitMs: 25_000, repeats: true }
/** Of Python, up to 2025-11-25: nine frameworks that cannot be told apart. */
const PYTHON: ClientTraits = { links: 'beside', simple: true, waitMs: 25_000 }
const OPENAI_AGENTS: ClientTraits = {
  links: 'beside',
  waitMs: LISTED_WAIT_MS,
  repeats: true,
  losesErrors: true,
}

// A Map, because the name comes from the client and a plain object inherits names such as `constructor`.
const CLIENTS: ReadonlyMap<string, ClientTraits> = new Map([
  ['agno', { links: 'beside', waitMs: 8_000, repeats: true }],
  ['autogen', SIMPLE],
  ['crewai', THIRTY],
  ['google-adk', PYTHON],
  ['langchain', { links: 'text' }],
  // It shows a model no texts in resources.
  ['langchain-js', { links: 'text' }],
  ['langchain4j', { links: 'text', simple: true }],
  ['llama-index', THIRTY],
  ['mcp-use', PYTHON],
  ['openai-agents', OPENAI_AGENTS],
  ['semantic-kernel', SIMPLE],
  ['smolagents', { links: 'one', simple: true }],
  ['strands', BESIDE],
  // What the SDK of Python says if a program gives no name.
  ['mcp', BESIDE],
])

/** Parameters of the address, and what each may be. */
const OPTIONS: readonly (readonly [name: string, values: readonly string[]])[] = [
  ['client', [...CLIENTS.keys()]],
  ['links', ['as-is', 'beside', 'text', 'one']],
  ['schemas', ['full', 'simple']],
  ['repeats', ['new', 'same']],
]
const WAIT = 'wait_ms'
const MILLISECONDS = /^\d{1,9}$/

/** The same parameters, for a client whose address cannot have them. */
const OPTIONS_HEADER = 'ftl-client-options'

const CLIENT_KEY = 'io.modelcontextprotocol/clientInfo'

/**
 * Read where something is at stake: while a list is made, a job runs or a result has more than texts.
 *
 * @param meta of the client's message.
 */
export function traitsOf(
  request: Request,
  meta: Readonly<Record<string, unknown>> = {},
): ClientTraits {
  const asked = optionsOf(request)
  const name = asked?.get('client')
  const known = isString(name) ? (CLIENTS.get(name) ?? NONE) : detected(request, meta)
  if (!asked) return known
  const links = asked.get('links')
  const wait = asked.get(WAIT)
  const schemas = asked.get('schemas')
  const repeats = asked.get('repeats')
  return {
    ...known,
    ...((links === 'text' || links === 'one' || links === 'beside') && { links }),
    ...(links === 'as-is' && { links: undefined }),
    ...(wait && MILLISECONDS.test(wait) && { waitMs: Number(wait) }),
    ...(schemas && { simple: schemas === 'simple' }),
    ...(repeats && { repeats: repeats === 'same' }),
  }
}

/** What is wrong with the parameters of the address, and of which. */
export function wrongOption(request: Request): { field: string; reason: string } | undefined {
  if (!request.url.includes('?')) return undefined
  const { searchParams } = addressOf(request)
  for (const [field, values] of OPTIONS) {
    const value = searchParams.get(field)
    if (value === null || values.includes(value)) continue
    return { field, reason: `${field} must be one of ${values.join(', ')}` }
  }
  if (MILLISECONDS.test(searchParams.get(WAIT) ?? '0')) return undefined
  return { field: WAIT, reason: `${WAIT} must be a number of milliseconds` }
}

function optionsOf(request: Request): URLSearchParams | undefined {
  if (request.url.includes('?')) return addressOf(request).searchParams
  const header = request.headers.get(OPTIONS_HEADER)
  return header === null ? undefined : new URLSearchParams(header)
}

function detected({ headers }: Request, meta: Readonly<Record<string, unknown>>): ClientTraits {
  // No other client sends what only lists have.
  if (meta[WAIT_KEY] === LISTED_WAIT_MS || meta['ftl/reach'] !== undefined) {
    return OPENAI_AGENTS
  }
  const info = meta[CLIENT_KEY]
  if (isObject(info)) return (isString(info.name) && CLIENTS.get(info.name)) || NONE
  if (!/^python-httpx/.test(headers.get('user-agent') ?? '')) return NONE
  // One that asks for progress may wait longer.
  return meta.progressToken === undefined ? PYTHON : { ...PYTHON, waitMs: undefined }
}

/**
 * Whether a client without `MCP-Protocol-Version` is one of a revision with that header: langchain4j never sends it. Plain
 * clients, such as curl, get the errors of the API reference, which it would show to a model as "Invalid params".
 */
export function omitsVersion({ headers }: Request): boolean {
  return /^Java-http-client\//.test(headers.get('user-agent') ?? '')
}
