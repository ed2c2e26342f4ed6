/** `stream/start`: the answer that sends a plain client to the WebSocket bridge for a job's end. */
import type { JobRecord } from 'ftl-contract'
import type { RequestId, RpcAnswer } from '../json-rpc.ts'
import type { Exchange } from '../exchange.ts'

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
  const { bridge } = scope.settings
  const address = 'url' in bridge ? bridge.url : besideGateway(request, bridge.port)
  return {
    jsonrpc: '2.0',
    method: 'stream/start',
    params: { stream_id: job.id, ws_url: `${address}/ws/stream/${job.id}` },
    id,
  }
}

function besideGateway(request: Request, port: number): string {
  const { protocol, hostname } = new URL(request.url)
  return `${protocol === 'https:' ? 'wss' : 'ws'}://${hostname}:${port}`
}
