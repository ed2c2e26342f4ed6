/** The `mcpServers` document that Claude, Cursor and the Inspector read, and the `servers` of VS Code. */
import { ConfigError } from '../errors.ts'
import { isObject } from '../is-object.ts'
import { parseAuth } from './parse-auth.ts'
import type { ProtocolChoice, ServerConfig } from './server-config.ts'
import { expand, parseJsonc, type Variables } from './syntax.ts'

/** How a configuration is read. */
export interface ParseOptions {
  /** What `${NAME}` and `${env:NAME}` stand for. @default process.env */
  variables?: Variables
}

type Fields = Record<string, unknown>

const PROTOCOLS: Record<string, ProtocolChoice> = {
  auto: 'auto',
  legacy: 'legacy',
  modern: '2026-07-28',
  '2026-07-28': '2026-07-28',
}
const HTTP_TYPES = ['http', 'streamable-http', 'streamableHttp']

/**
 * Servers of a configuration, in its order; those that are `disabled` are left out.
 *
 * @throws {ConfigError} for the first field that cannot be used.
 * @example
 * const servers = parseConfig('{"mcpServers":{"files":{"command":"npx","args":["server-files","${HOME}"]}}}')
 */
export function parseConfig(
  text: string,
  { variables = process.env }: ParseOptions = {},
): Record<string, ServerConfig> {
  let document: unknown
  try {
    document = parseJsonc(text)
  } catch (error) {
    throw new ConfigError('', `this is not JSON: ${(error as Error).message}`)
  }
  const root = asObject(document, '')
  const nested = root['mcp'] === undefined ? {} : asObject(root['mcp'], 'mcp')
  const [where, servers] =
    root['mcpServers'] !== undefined
      ? ['mcpServers', root['mcpServers']]
      : root['servers'] !== undefined
        ? ['servers', root['servers']]
        : ['mcp.servers', nested['servers']]
  if (servers === undefined)
    throw new ConfigError('', 'there is neither "mcpServers" nor "servers"')
  const parsed: [string, ServerConfig][] = []
  for (const [name, value] of Object.entries(asObject(servers, where))) {
    const field = `${where}.${name}`
    const fields = asObject(value, field)
    if (fields['disabled'] !== true) parsed.push([name, parseServer(fields, field, variables)])
  }
  return Object.fromEntries(parsed)
}

function parseServer(fields: Fields, field: string, variables: Variables): ServerConfig {
  const text = (name: string) => optional(fields, name, field, asText)
  const filled = (value: string, at: string) => expand(value, variables, at)
  const type = text('type') ?? text('transport')
  if (type === 'sse') {
    throw new ConfigError(
      `${field}.type`,
      'HTTP with two endpoints (sse) is not supported; use "http"',
    )
  }
  if (type !== undefined && type !== 'stdio' && !HTTP_TYPES.includes(type)) {
    throw new ConfigError(`${field}.type`, `"${type}" must be one of stdio, http, streamable-http`)
  }
  const common = {
    ...protocolOf(text('protocol') ?? text('protocolEra'), field),
    ...denied(fields, field),
  }
  const url = text('url') ?? text('serverUrl')
  const command = text('command')
  if (url !== undefined && command !== undefined) {
    throw new ConfigError(field, 'has a "command" and a "url"; a server is one or the other')
  }
  if (url !== undefined) {
    const address = filled(url, `${field}.url`)
    if (!/^https?:\/\/[^/]/.test(address) || !URL.canParse(address)) {
      throw new ConfigError(`${field}.url`, `"${address}" must be an http or https URL`)
    }
    const auth = optional(fields, 'auth', field, (value, at) =>
      parseAuth(asObject(value, at), at, filled),
    )
    return {
      url: address,
      ...texts(fields, 'headers', field, filled),
      ...(auth && { auth }),
      ...common,
    }
  }
  if (command === undefined || command === '') {
    throw new ConfigError(field, 'needs a "command" or a "url"')
  }
  const args = optional(fields, 'args', field, asTexts)
  const cwd = text('cwd')
  return {
    command: filled(command, `${field}.command`),
    args: args?.map((arg, index) => filled(arg, `${field}.args[${index}]`)),
    ...texts(fields, 'env', field, filled),
    cwd: cwd === undefined ? undefined : filled(cwd, `${field}.cwd`),
    ...common,
  }
}

function protocolOf(text: string | undefined, field: string): { protocol?: ProtocolChoice } {
  if (text === undefined) return {}
  const protocol = Object.hasOwn(PROTOCOLS, text) ? PROTOCOLS[text] : undefined
  if (protocol) return { protocol }
  const known = Object.keys(PROTOCOLS).join(', ')
  throw new ConfigError(`${field}.protocol`, `"${text}" must be one of ${known}`)
}

function denied(fields: Fields, field: string): { deniedTools?: string[] } {
  // The names of the same thing in Roo Code, Gemini CLI and here.
  const all = ['deniedTools', 'disabledTools', 'excludeTools'].flatMap(
    (name) => optional(fields, name, field, asTexts) ?? [],
  )
  return all.length > 0 ? { deniedTools: all } : {}
}

function texts<Name extends string>(
  fields: Fields,
  name: Name,
  field: string,
  filled: (value: string, at: string) => string,
): { [key in Name]?: Record<string, string> } {
  const values = optional(fields, name, field, asObject)
  if (!values) return {}
  const entries = Object.entries(values).map(([key, value]) => {
    const at = `${field}.${name}.${key}`
    return [key, filled(asText(value, at), at)]
  })
  return { [name]: Object.fromEntries(entries) as Record<string, string> } as {
    [key in Name]?: Record<string, string>
  }
}

function optional<T>(
  fields: Fields,
  name: string,
  field: string,
  read: (value: unknown, at: string) => T,
): T | undefined {
  const value = fields[name]
  return value === undefined || value === null ? undefined : read(value, `${field}.${name}`)
}

function asText(value: unknown, field: string): string {
  if (typeof value !== 'string') throw new ConfigError(field, 'must be a text')
  return value
}

function asTexts(value: unknown, field: string): string[] {
  if (!Array.isArray(value)) throw new ConfigError(field, 'must be a list of texts')
  return value.map((each, index) => asText(each, `${field}[${index}]`))
}

function asObject(value: unknown, field: string): Fields {
  if (!isObject(value)) throw new ConfigError(field, 'must be an object')
  return value
}
