/** The workbench's own MCP connection. The client is loaded with the first call. */
import type { BrowserClient } from 'ftl-client/browser'
import { noteReached } from '../../net/reach.ts'
import { send } from '../../sign-in/session.ts'
import { noting } from './exchanges.ts'
import { elicitation } from './questions.ts'

let client: Promise<BrowserClient> | undefined

/** As the user of the page; a sign-in is waited for. */
export const asUser: typeof fetch = async (input, init) => {
  const { pathname, search } = new URL(
    input instanceof Request ? input.url : String(input),
    location.href,
  )
  try {
    const response = await send(pathname + search, init ?? {}, true)
    noteReached(true)
    return response
  } catch (error) {
    if (!init?.signal?.aborted) noteReached(false)
    throw error
  }
}

/** @throws {ClientError} */
export function mcp(): Promise<BrowserClient> {
  client ??= open().catch((error: unknown) => {
    client = undefined
    throw error
  })
  return client
}

/** Connects again at the next call, for example to a server that has forgotten the session. */
export function forgetConnection(): void {
  void client?.then((known) => known.close()).catch(() => undefined)
  client = undefined
}

async function open(): Promise<BrowserClient> {
  // Zod, which the client contains, would try to compile code, which the page's policy forbids and reports.
  Object.assign(globalThis, { __zod_globalConfig: { jitless: true } })
  const { BrowserClient } = await import('ftl-client/browser')
  return BrowserClient.connect(
    { url: `${location.origin}/mcp` },
    {
      info: { name: 'ftl-workbench', version: '0.1.0' },
      answers: { elicitation },
      fetch: noting(asUser),
    },
  )
}
