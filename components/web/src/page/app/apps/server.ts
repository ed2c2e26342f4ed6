/** What an app reaches of the gateway: tools and resources of its own component, over a connection that declares MCP Apps. */
import type { BrowserClient } from 'ftl-client/browser'
import { quietZod } from '../net/quiet-zod.ts'
import { askPerson } from '../approval/approvals.ts'
import { asRecord } from '../net/api.ts'
import { catalog, type Tool } from '../net/tools.ts'
import { asUser } from '../workbench/mcp/connection.ts'
import { loadOwners, owners } from '../workbench/list/owners.ts'
import { createQuota, needsConsent, whyNotCallable } from './rules.ts'

export interface AppServer {
  /** Of the app's page, and what an app itself reads. @throws {ClientError} */
  read(uri: string): Promise<Record<string, unknown>>
  /** @throws {Error} with the reason, for the app. */
  call(
    name: string,
    args: Record<string, unknown>,
    meta: Record<string, unknown> | undefined,
    signal: AbortSignal,
  ): Promise<Record<string, unknown>>
}

let client: Promise<BrowserClient> | undefined

/** @throws {ClientError} */
function connected(): Promise<BrowserClient> {
  client ??= open().catch((error: unknown) => {
    client = undefined
    throw error
  })
  return client
}

/** Without tasks: an app gets the handle of a job, which it follows by itself. */
async function open(): Promise<BrowserClient> {
  quietZod()
  const { BrowserClient } = await import('ftl-client/browser')
  const extensions = { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } }
  return BrowserClient.connect(
    { url: `${location.origin}/mcp` },
    {
      info: { name: 'ftl-page-apps', version: '0.1.0' },
      capabilities: { extensions },
      fetch: asUser,
    },
  )
}

/** Milliseconds of one call. */
const PATIENCE_MS = 300_000
/** Of calls and of reads, each, in a minute. */
const MOST_A_MINUTE = 240
/** At the same time. */
const MOST_AT_ONCE = 6

/** @param tool whose app it is. */
export function gatewayServer(tool: Tool): AppServer {
  const mayCall = createQuota(MOST_A_MINUTE)
  const mayRead = createQuota(MOST_A_MINUTE)
  let running = 0
  const component = async () => {
    if (owners.get().size === 0) await loadOwners()
    return owners.get().get(tool.name) ?? ''
  }

  async function call(
    name: string,
    args: Record<string, unknown>,
    meta: Record<string, unknown> | undefined,
    signal: AbortSignal,
  ): Promise<Record<string, unknown>> {
    const { tools } = catalog.get()
    const own = await component()
    const why = whyNotCallable(name, { tools, owners: owners.get(), component: own })
    if (why !== '') throw new Error(why)
    const asker = `the app of ${tool.title}`
    const ask = (given: Record<string, unknown>, of: string) =>
      askPerson({ tool: name, component: of, arguments: given, asker }, signal)
    const mustConsent = needsConsent(name, tools)
    if (mustConsent && !(await ask(args, own))) throw new Error('The user declined this call.')
    const wait = asRecord(meta)['ftl/wait_ms']
    const result = await (
      await connected()
    ).callTool(name, args, {
      signal,
      timeoutMs: PATIENCE_MS,
      // Nothing else of an app's `_meta`: it could hold an approval or a trace of another.
      ...(typeof wait === 'number' && { meta: { 'ftl/wait_ms': wait } }),
      // The person has just approved exactly this call.
      approve: async ({ arguments: given, component: of = own }) =>
        of === own && (mustConsent || ask({ ...given }, own)),
    })
    return result
  }

  return {
    async read(uri) {
      if (!mayRead()) throw new Error('The app reads too much. Try again in a minute.')
      const own = await component()
      return (await connected()).request('resources/read', {
        uri,
        // The gateway reads it only if it belongs to this component.
        _meta: { 'ftl/component': own },
      })
    },
    async call(name, args, meta, signal) {
      if (running >= MOST_AT_ONCE || !mayCall()) {
        throw new Error('The app makes too many calls. Try again in a minute.')
      }
      running++
      try {
        return await call(name, structuredClone(args), meta, signal)
      } finally {
        running--
      }
    },
  }
}
