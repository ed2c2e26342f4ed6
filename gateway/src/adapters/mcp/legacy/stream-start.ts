/**
 * `stream/start`: the answer that sends a plain client to the WebSocket bridge for a job's end.
 *
 * @module
 */
import type { JobRecord } from 'ftl-sdk/contract'
import type { RequestId, RpcAnswer } from '../json-rpc.ts'
import type { Exchange } from '../mcp-adapter.ts'

/** Port of the bridge on the host the client called, when no address is configured. */
const BRIDGE_PORT = 8001

/** Whether this client gets the stream rather than the result. */
export function wantsStream({ scope, request, versionHeader }: Exchange): boolean {
  const mode = scope.settings.streamStart
  if (mode !== 'plain') return mode === 'always'
  const acceptsEvents = request.headers.get('accept')?.includes('text/event-stream') ?? false
  return versionHeader === undefined && !acceptsEvents
}

/** @throws {ConfigurationError} when `bridge_url` is unusable. */
export function streamStart(
  { scope, request }: Exchange,
  id: RequestId,
  job: JobRecord,
): RpcAnswer {
  const bridge = scope.settings.bridgeUrl ?? besideGateway(request)
  return {
    jsonrpc: '2.0',
    method: 'stream/start',
    params: { stream_id: job.id, ws_url: `${bridge}/ws/stream/${job.id}` },
    id,
  }
}

function besideGateway(request: Request): string {
  const { protocol, hostname } = new URL(request.url)
  return `${protocol === 'https:' ? 'wss' : 'ws'}://${hostname}:${BRIDGE_PORT}`
}
