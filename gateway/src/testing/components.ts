/** Components in memory, written to the component contract, for tests of the gateway. */
import { type MemoryPlatform, memoryPlatform } from 'ftl-platform/memory'
import type { ToolDescription, ToolResult } from 'ftl-contract'
import type { App } from '../app.ts'
import { createGateway } from '../shipped.ts'

export type Component = (request: Request) => Response | Promise<Response>

export interface World {
  platform: MemoryPlatform
  /** Every internal request, in order: `GET http://echo.spin.internal/`. */
  log: string[]
  /** Every variable read. */
  reads: string[]
  /** Replaces or removes a component. */
  components: Record<string, Component | undefined>
  send(request: Request): Promise<Response>
  /** Posts a JSON-RPC message (or any text) to `/mcp` and reads the JSON answer. */
  rpc(message: unknown, headers?: Record<string, string>): Promise<unknown>
}

export interface WorldOptions {
  /** @default the gateway as it is shipped */
  app?: App
  components?: Record<string, Component | undefined>
  variables?: Record<string, string>
  now?: () => number
  /** Answers requests that leave the application. @default there is no network */
  outside?: (request: Request) => Promise<Response>
  /** Whether the store can write on a condition, as on our host. @default false, as on Spin */
  conditionalWrites?: boolean
}

const shipped = createGateway()

/** Each configures authentication. */
const METHODS = ['auth_issuers', 'api_keys', 'trust_forwarded_user']

/** The gateway over these components; `tool_components` names them all unless it is given. */
export function createWorld({
  app = shipped,
  components = {},
  variables = {},
  now,
  outside,
  conditionalWrites = false,
}: WorldOptions = {}): World {
  const log: string[] = []
  const reads: string[] = []
  const values = {
    tool_components: Object.keys(components).join(','),
    // Components change under way; what a time to live does has tests of its own.
    catalog_ttl_ms: '0',
    // As this repository's manifest has it: without a declaration there is no bridge.
    bridge_url: '',
    // As on the embedded host; tests of a shared store set it to ''.
    own_store: 'default',
    // Without authentication it is refused; tests of the policy set their own.
    ...(METHODS.some((name) => Object.hasOwn(variables, name)) && { policy: 'signed-in' }),
    ...variables,
  }
  const platform = memoryPlatform({
    variables: values,
    now,
    conditionalWrites,
    fetch: async (input, init) => {
      const request = new Request(input, init)
      const [, name = ''] = /^http:\/\/([^./]+)\.spin\.internal\//.exec(request.url) ?? []
      if (name === '' && outside) return outside(request)
      log.push(`${request.method} ${request.url}`)
      const component = components[name]
      // What a component sees when it asks for one that the application has not.
      if (!component) throw new TypeError('NetworkError when attempting to fetch resource.')
      return component(request)
    },
  })
  const { variables: inner } = platform
  platform.variables = {
    get: (name) => {
      reads.push(name)
      return inner.get(name)
    },
  }
  const send = (request: Request) => app.fetch(asHosted(request), platform)
  return {
    platform,
    log,
    reads,
    components,
    send,
    async rpc(message, headers = {}) {
      const response = await send(post(message, headers))
      return (await response.json()) as unknown
    },
  }
}

/** With the sender as a host says it, if the test does not: a component, or a program on this machine. */
function asHosted(request: Request): Request {
  const { headers, url } = request
  if (!headers.has('spin-client-addr')) {
    const isInside = new URL(url).hostname.endsWith('.spin.internal')
    headers.set('spin-client-addr', isInside ? '0.0.0.0:0' : '127.0.0.1:5000')
  }
  return request
}

export function post(
  message: unknown,
  headers: Record<string, string> = {},
  path = '/mcp',
): Request {
  return new Request(`http://localhost:3000${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof message === 'string' ? message : JSON.stringify(message),
  })
}

export function call(name: string, args: unknown, id: string | number = 1): object {
  return { jsonrpc: '2.0', method: 'tools/call', params: { name, arguments: args }, id }
}

/** A component of a foreign SDK with one tool: it knows `GET /` and `POST /` only. */
export function foreign(
  description: ToolDescription,
  run: (args: Record<string, unknown>, request: Request) => ToolResult | Response,
): Component {
  return async (request) => {
    if (new URL(request.url).pathname !== '/') return new Response('not found', { status: 404 })
    if (request.method === 'GET') return Response.json(description)
    const answer = run((await request.json()) as Record<string, unknown>, request)
    return answer instanceof Response ? answer : Response.json(answer)
  }
}

/** A component with several tools: `GET /` and `POST /{tool}`. */
export function several(
  tools: ToolDescription[],
  run: (tool: string, args: Record<string, unknown>) => ToolResult | Response = (tool) =>
    text(tool),
): Component {
  return async (request) => {
    const path = new URL(request.url).pathname
    if (request.method === 'GET' && path === '/') return Response.json(tools)
    const tool = tools.find(({ name }) => path === `/${name}`)
    if (!tool) return new Response('not found', { status: path === '/' ? 405 : 404 })
    const answer = run(tool.name, (await request.json()) as Record<string, unknown>)
    return answer instanceof Response ? answer : Response.json(answer)
  }
}

export function tool(name: string, properties: object = {}, required: string[] = []) {
  return {
    name,
    description: `The tool ${name}`,
    inputSchema: { type: 'object', properties, required },
  }
}

export function text(value: string): ToolResult {
  return { content: [{ type: 'text', text: value }] }
}
