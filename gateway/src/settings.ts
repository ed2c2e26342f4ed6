/**
 * The gateway's variables, each read when it is first used and checked there.
 *
 * @module
 */
import type { Variables } from 'ftl-platform'

/** A variable of the component has a value that cannot be used. Shown to the client: it names no secret. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError'
  constructor(variable: string, problem: string) {
    super(`The gateway's variable "${variable}" ${problem}.`)
  }
}

/** Who gets `stream/start` for a job. */
export type StreamStart = 'plain' | 'always' | 'never'

/**
 * Where clients find the WebSocket bridge: at a WebSocket address without a slash at the end, or at a port of the
 * host they called.
 */
export type BridgeAddress = { url: string } | { port: number }

/** @throws {ConfigurationError} by every member, when its variable is unusable. */
export interface Settings {
  /** `tool_components`: the tool components in order; the first to name a tool keeps the plain name. */
  readonly toolComponents: readonly string[]
  /** `discovery_timeout_ms`: milliseconds a component has to describe its tools. @default 2000 */
  readonly discoveryTimeoutMs: number
  /** `call_timeout_ms`: milliseconds a tool may take. @default 30000 */
  readonly callTimeoutMs: number
  /** `wait_limit_ms`: milliseconds a call waits for a job before the client gets a handle. @default 50000 */
  readonly waitLimitMs: number
  /** `stream_start`. @default 'plain' */
  readonly streamStart: StreamStart
  /** `bridge_url`: an address, or `:port` on the host the client called. @default ':8001' */
  readonly bridge: BridgeAddress
}

export function createSettings(variables: Variables): Settings {
  const values = new Map<string, unknown>()
  const once = <T>(name: string, parse: (text: string, name: string) => T): T => {
    if (!values.has(name)) values.set(name, parse((variables.get(name) ?? '').trim(), name))
    return values.get(name) as T
  }
  return {
    get toolComponents() {
      return once('tool_components', parseComponents)
    },
    get discoveryTimeoutMs() {
      return once('discovery_timeout_ms', milliseconds(2_000))
    },
    get callTimeoutMs() {
      return once('call_timeout_ms', milliseconds(30_000))
    },
    get waitLimitMs() {
      return once('wait_limit_ms', milliseconds(50_000))
    },
    get streamStart() {
      return once('stream_start', parseStreamStart)
    },
    get bridge() {
      return once('bridge_url', parseBridge)
    },
  }
}

// What a component may be called in spin.toml; anything else would change the address it becomes part of.
const COMPONENT = /^[a-z][a-z0-9_-]{0,62}$/

/** Whether `name` can be a component's name, and so may become part of an address. */
export function isComponentName(name: unknown): name is string {
  return typeof name === 'string' && COMPONENT.test(name)
}

function parseComponents(text: string, variable: string): readonly string[] {
  const names = text.startsWith('[') ? parseArray(text, variable) : text.split(',')
  const components = new Set<string>()
  for (const entry of names) {
    const name = typeof entry === 'string' ? entry.trim() : entry
    if (name === '') continue
    if (!isComponentName(name)) {
      throw new ConfigurationError(
        variable,
        `names ${JSON.stringify(entry)}, which cannot be a component (lower-case letters, digits and hyphens)`,
      )
    }
    components.add(name)
  }
  return [...components]
}

function parseArray(text: string, variable: string): unknown[] {
  try {
    const value: unknown = JSON.parse(text)
    if (Array.isArray(value)) return value
  } catch {
    // Worded below.
  }
  throw new ConfigurationError(variable, 'starts like a JSON array but is none')
}

// Above this a timer counts from the start again.
const LONGEST_MS = 2_147_483_647

function milliseconds(fallback: number) {
  return (text: string, variable: string): number => {
    if (text === '') return fallback
    const value = Number(text)
    if (Number.isFinite(value) && value > 0 && value <= LONGEST_MS) return value
    throw new ConfigurationError(variable, 'must be a number of milliseconds above 0')
  }
}

function parseStreamStart(text: string, variable: string): StreamStart {
  if (text === '') return 'plain'
  if (text === 'plain' || text === 'always' || text === 'never') return text
  throw new ConfigurationError(variable, 'must be plain, always or never')
}

const DEFAULT_BRIDGE_PORT = 8001

function parseBridge(text: string, variable: string): BridgeAddress {
  if (text === '') return { port: DEFAULT_BRIDGE_PORT }
  const port = Number(/^:(\d{1,5})$/.exec(text)?.[1])
  if (port > 0 && port <= 65_535) return { port }
  const [, scheme, rest] = /^(https?|wss?):\/\/([^\s?#]+)$/i.exec(text) ?? []
  if (scheme === undefined || rest === undefined || !isUrl(text)) {
    throw new ConfigurationError(variable, 'must be an http, https, ws or wss address, or :port')
  }
  const secure = /^(https|wss)$/i.test(scheme)
  return { url: `${secure ? 'wss' : 'ws'}://${rest.replace(/\/+$/, '')}` }
}

// The engine of a component has no URL.canParse.
function isUrl(text: string): boolean {
  try {
    return new URL(text).host !== ''
  } catch {
    return false
  }
}
