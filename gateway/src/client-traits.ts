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
   * Where links, sounds and files in results get a text; `text`: there is one text, and images; `only-text`: one text that says what
   * else there is. @default nowhere
   */
  readonly links?: (typeof LINKS)[number] | undefined
  /** Maximum milliseconds that a call waits for a job. @default `wait_limit_ms` */
  readonly waitMs?: number | undefined
  /** It sends a call again that it has given up: the same arguments mean the same job. */
  readonly repeats: boolean
  /** Its lists have the simple form of schemas. */
  readonly simple: boolean
  /** It shows a model no errors, so that one has to be a result. */
  readonly losesErrors: boolean
}

export const WAIT_KEY = 'ftl/wait_ms'

/**
 * {@link WAIT_KEY} of a tool that starts jobs, as it is listed: openai-agents copies it into its calls, which it ends after five
 * seconds.
 */
export const LISTED_WAIT_MS = 4_000
export const LISTED_WAIT = { [WAIT_KEY]: LISTED_WAIT_MS }

const LINKS = ['beside', 'text', 'only-text'] as const
const BESIDE = 'links=beside'
/** One of these ends a call after 30 seconds, the other after 60. */
const ONLY_TEXT = 'links=only-text&schemas=simple&wait_ms=25000&repeats=same'
const TEXT = 'links=text'
const SIMPLE = 'links=text&schemas=simple'
const PYTHON_THAT_WAITS = 'links=beside&schemas=simple'
/** Of Python, up to 2025-11-25: nine frameworks that cannot be distinguished. Two of them end a call after 30 seconds. */
const PYTHON = `${PYTHON_THAT_WAITS}&wait_ms=25000`
const THIRTY = `${PYTHON}&repeats=same`
const OPENAI_AGENTS = 'openai-agents'

/** What each needs, in the words of an address. A Map, because the name comes from the client. */
const CLIENTS: ReadonlyMap<string, string> = new Map([
  ['agno', 'links=beside&wait_ms=8000&repeats=same'],
  ['autogen', SIMPLE],
  ['crewai', ONLY_TEXT],
  ['google-adk', PYTHON],
  ['langchain', TEXT],
  // It shows a model no texts in resources.
  ['langchain-js', TEXT],
  // It loses a result to whatever is not a text.
  ['langchain4j', ONLY_TEXT],
  ['llama-index', THIRTY],
  ['mcp-use', PYTHON],
  [OPENAI_AGENTS, `links=beside&wait_ms=${LISTED_WAIT_MS}&repeats=same&errors=results`],
  ['semantic-kernel', SIMPLE],
  ['smolagents', SIMPLE],
  ['strands', BESIDE],
  // What the SDK of Python says if a program gives no name.
  ['mcp', BESIDE],
])

/** Parameters of the address, and what each may be. */
const OPTIONS: readonly (readonly [name: string, values: readonly string[]])[] = [
  ['client', [...CLIENTS.keys()]],
  ['links', ['as-is', ...LINKS]],
  ['schemas', ['full', 'simple']],
  ['repeats', ['new', 'same']],
]
const WAIT = 'wait_ms'
const MILLISECONDS = /^\d{1,9}$/

/** The same parameters, for a client whose address cannot have them. */
const OPTIONS_HEADER = 'ftl-client-options'

const NONE: ClientTraits = { repeats: false, simple: false, losesErrors: false }

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
  const words = isString(name) ? CLIENTS.get(name) : detected(request, meta)
  if (!asked && words === undefined) return NONE
  const known = new URLSearchParams(words)
  const option = (key: string) => asked?.get(key) ?? known.get(key)
  const links = option('links')
  const wait = option(WAIT) ?? ''
  return {
    links: LINKS.find((each) => each === links),
    waitMs: MILLISECONDS.test(wait) ? Number(wait) : undefined,
    repeats: option('repeats') === 'same',
    simple: option('schemas') === 'simple',
    losesErrors: known.has('errors'),
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

/** @returns what it needs, if it is known to need anything. */
function detected(
  { headers }: Request,
  meta: Readonly<Record<string, unknown>>,
): string | undefined {
  // No other client sends what only lists have.
  if (meta[WAIT_KEY] === LISTED_WAIT_MS || meta['ftl/reach'] !== undefined) {
    return CLIENTS.get(OPENAI_AGENTS)
  }
  const info = meta['io.modelcontextprotocol/clientInfo']
  if (isObject(info)) return CLIENTS.get(String(info.name))
  if (!/^python-httpx/.test(headers.get('user-agent') ?? '')) return undefined
  // One that asks for progress may wait longer.
  return meta.progressToken === undefined ? PYTHON : PYTHON_THAT_WAITS
}

/**
 * Whether a client without `MCP-Protocol-Version` is one of a revision with that header: langchain4j never sends it. Plain
 * clients, such as curl, get the errors of the API reference, which it would show to a model as "Invalid params".
 */
export function omitsVersion({ headers }: Request): boolean {
  return /^Java-http-client\//.test(headers.get('user-agent') ?? '')
}
