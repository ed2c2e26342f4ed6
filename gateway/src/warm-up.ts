/**
 * Answers the most frequent requests once while the component is built.
 *
 * Every request begins in the state the build has left, and the engine has no compiler that would make up for it: what
 * it does when code first runs (compiling functions and regular expressions, making shapes of objects) it would do
 * again in each of them. So this takes a fifth of the time off every call, and nothing of it is left to be seen.
 */
import type { KeyValue, Platform } from 'ftl-platform'
import type { App } from './app.ts'
import { NEWEST } from './schema/validate.ts'
import { USUAL_TEXTS } from './usual-variable-texts.ts'

const TOOL = {
  name: 'rehearsal',
  inputSchema: {
    $schema: NEWEST,
    type: 'object',
    properties: { text: { type: 'string' } },
    required: ['text'],
    additionalProperties: false,
  },
}
const RESULT = { content: [{ type: 'text', text: '' }] }
const CALL = { name: TOOL.name, arguments: { text: '' } }
const ENVELOPE = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: '', version: '' },
  'io.modelcontextprotocol/clientCapabilities': {},
}
const accept = 'application/json, text/event-stream'

/** What clients of each era send most. */
const REQUESTS: { method: string; params: object; headers?: Record<string, string> }[] = [
  { method: 'tools/list', params: {} },
  { method: 'tools/call', params: CALL },
  { method: 'tools/call', params: CALL, headers: { accept, 'mcp-protocol-version': '2025-11-25' } },
  {
    method: 'tools/call',
    params: { ...CALL, _meta: ENVELOPE },
    headers: {
      accept,
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': TOOL.name,
    },
  },
]

/** With the audit log as Spin and our host have it, and without. The last one is what most applications have. */
const CALL_SETTINGS = ['audit=on', 'audit=host', '']

/**
 * Only while the component is built.
 *
 * @throws {Error} when a request is not answered with a result: it would have prepared the wrong thing.
 */
export async function warmUp(app: App): Promise<void> {
  const { setTimeout, clearTimeout } = globalThis
  // The engine refuses timers while a component is built.
  Object.assign(globalThis, { setTimeout: () => 0, clearTimeout: () => undefined })
  const { error, log } = console
  // It would warn of the store below, which nothing shares. What goes wrong is thrown.
  console.error = () => undefined
  console.log = () => undefined
  try {
    app.hooks.rehearse()
    app.hooks.rehearse()
    app.settings.learn(USUAL_TEXTS)
    for (const callSettings of CALL_SETTINGS) await rehearse(app, standIn(callSettings))
  } finally {
    Object.assign(globalThis, { setTimeout, clearTimeout })
    Object.assign(console, { error, log })
  }
}

async function rehearse(app: App, platform: Platform): Promise<void> {
  // The second time the engine optimises what it has seen once.
  for (const { method, params, headers } of [...REQUESTS, ...REQUESTS]) {
    const request = new Request('http://127.0.0.1:3000/mcp', {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    })
    const answer = await (await app.fetch(request, platform)).text()
    if (!answer.includes('"result"')) throw new Error(`rehearsal of ${method}: ${answer}`)
  }
}

/** A machine without clock and chance, and one component with one tool. */
function standIn(callSettings: string): Platform {
  const entries = new Map<string, Uint8Array>()
  const variables: Record<string, string> = {
    tool_components: TOOL.name,
    call_settings: callSettings,
  }
  const encoder = new TextEncoder()
  const store: Pick<KeyValue, 'get' | 'set'> = {
    get: async (key) => entries.get(key),
    set: async (key, value) =>
      void entries.set(key, typeof value === 'string' ? encoder.encode(value) : value),
  }
  // Only what these requests use: anything else would fail the build.
  const used: Omit<Platform, 'files'> = {
    openKeyValue: async () => store as KeyValue,
    variables: { get: (name) => variables[name] },
    now: () => 1,
    randomUUID: () => '00000000-0000-4000-8000-000000000000',
    fetch: async (_, { method } = {}) =>
      new Response(JSON.stringify(method === 'POST' ? RESULT : TOOL), {
        headers: { 'content-type': 'application/json' },
      }),
    waitUntil: () => undefined,
  }
  return used as Platform
}
