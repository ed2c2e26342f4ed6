/** The workbench's own MCP connections: one for each server. The client is loaded with the first request. */
import type { BrowserClient } from 'ftl-client/browser'
import { quietZod } from '../../net/quiet-zod.ts'
import { noteReached } from '../../net/gateway-reachable.ts'
import { send } from '../../sign-in/session.ts'
import { createStore } from '../../store.ts'
import { foreignFetch } from '../servers/foreign-fetch.ts'
import { GATEWAY, isForeign, type Server } from '../servers/known-servers.ts'
import { noteRefusal, type Refusal, refusalOf } from '../servers/refusals.ts'
import { noting } from './exchanges.ts'
import { noteNotification } from './notifications.ts'
import { elicitationOf } from './questions.ts'

/** What a server says of itself, unchecked, and what was negotiated. */
export interface Facts {
  revision: string
  isModern: boolean
  hasSession: boolean
  server: Readonly<Record<string, unknown>>
  instructions: string
  capabilities: Readonly<Record<string, unknown>>
}

export type Connection =
  { state: 'connecting' } | { state: 'open'; facts: Facts } | { state: 'failed'; refusal: Refusal }

/** By id of the server. A server that was never asked has none. */
export const connections = createStore<ReadonlyMap<string, Connection>>(new Map())

const clients = new Map<string, Promise<BrowserClient>>()
const listeners = new Set<(server: Server, method: string) => void>()

/** @throws {ClientError} */
export function mcp(server: Server = GATEWAY): Promise<BrowserClient> {
  const known = clients.get(server.id)
  if (known) return known
  const opening = open(server)
  clients.set(server.id, opening)
  opening.catch(() => {
    if (clients.get(server.id) === opening) clients.delete(server.id)
  })
  return opening
}

/** Connects again at the next request, for example to a server that has forgotten the session. */
export function forgetConnection(server: Server = GATEWAY): void {
  void clients
    .get(server.id)
    ?.then((known) => known.close())
    .catch(() => undefined)
  clients.delete(server.id)
  noteRefusal(server, undefined)
  connections.set((all) => new Map([...all].filter(([id]) => id !== server.id)))
}

/** Calls the listener for each notification. */
export function onNotification(listener: (server: Server, method: string) => void): void {
  listeners.add(listener)
}

async function open(server: Server): Promise<BrowserClient> {
  const note = (connection: Connection) =>
    connections.set((all) => new Map(all).set(server.id, connection))
  note({ state: 'connecting' })
  try {
    quietZod()
    const { BrowserClient } = await import('ftl-client/browser')
    const client = await BrowserClient.connect(
      { url: server.url },
      {
        info: { name: 'ftl-workbench', version: '0.1.0' },
        answers: { elicitation: elicitationOf(isForeign(server) ? server.name : '') },
        fetch: noting(isForeign(server) ? foreignFetch(server) : asUser, server.id),
        onNotification(method, params) {
          noteNotification(server.id, method, params)
          for (const listener of listeners) listener(server, method)
        },
      },
    )
    note({ state: 'open', facts: factsOf(client) })
    return client
  } catch (error) {
    note({ state: 'failed', refusal: refusalOf(server, error) })
    throw error
  }
}

function factsOf(client: BrowserClient): Facts {
  const { revision = 'unknown', isModern, hasSession, server, capabilities } = client
  const { instructions = '' } = client
  return { revision, isModern, hasSession, server, capabilities, instructions }
}

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
