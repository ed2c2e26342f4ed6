/**
 * `GET /mcp`: the event stream of a client of the older revisions, here only for changed lists and only under `ftl dev`.
 *
 * @see https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#listening-for-messages-from-the-server
 */
import { acceptsEvents, eventStream, methodNotAllowed } from 'ftl-http'
import type { Gateway } from '../../../gateway.ts'
import type { Scope } from '../../../scope.ts'
import {
  listChanged,
  type ListChanges,
  listChanges,
  TOO_MANY,
  TOO_MANY_ERROR,
} from '../core/list-changes.ts'
import { refuse } from '../json-rpc.ts'
import { LEGACY_VERSIONS, NEWEST_LEGACY_VERSION } from '../../../calls/mcp-versions.ts'

const EVENTS = 'text/event-stream'

/** Joins the versions in the id of an event. */
const SEPARATOR = '.'

export async function changeStream(
  { tools }: Gateway,
  request: Request,
  scope: Scope,
): Promise<Response> {
  const { headers } = request
  const revision = headers.get('mcp-protocol-version') ?? NEWEST_LEGACY_VERSION
  // Clients of later revisions use `subscriptions/listen`, and a browser would wait for the end of the page.
  if (!LEGACY_VERSIONS.includes(revision) || !acceptsEvents(request)) {
    return methodNotAllowed('POST')
  }
  // A client that reconnects sends the id of its last event, and so learns of a change in between.
  const since = headers.get('last-event-id')?.split(SEPARATOR)
  const changes = await listChanges(tools, scope, since)
  if (!changes) return refuse(TOO_MANY, null, TOO_MANY_ERROR)
  return eventStream(changes, () => scope.connection.leave(), {
    type: EVENTS,
    encode: (event) => encode(event as ListChanges),
    idle: () => ':\n\n',
  })
}

function encode({ changed, versions }: ListChanges): string {
  const messages = changed.map((list) => `message\ndata: ${JSON.stringify(listChanged(list))}`)
  // Clients ignore events of another name, but remember the id.
  const events = messages.length > 0 ? messages : ['id\ndata: {}']
  return events.map((event) => `id: ${versions.join(SEPARATOR)}\nevent: ${event}\n\n`).join('')
}
