/** What the host has noted of a call: its spans, and the lines that components printed for it. */
import { Logs } from '../../activity/logs.tsx'
import { Trace } from '../../activity/trace.tsx'
import { useRequestActivity } from '../../activity/watch-request.ts'

interface OfRequest {
  /** `undefined` for a call without one: over HTTP, or not sent. */
  requestId: string | undefined
}

const NOTHING = 'Nothing is recorded of this call.'

export function TraceView({ requestId }: OfRequest) {
  const { request, problem } = useRequestActivity(requestId)
  return request ? <Trace request={request} /> : <Missing requestId={requestId} why={problem} />
}

export function LogsView({ requestId }: OfRequest) {
  const { request, folder, problem } = useRequestActivity(requestId)
  if (request) return <Logs request={request} folder={folder} />
  return <Missing requestId={requestId} why={problem} />
}

function Missing({ requestId, why }: OfRequest & { why: string }) {
  if (requestId === undefined) return <p class="faint">{NOTHING}</p>
  return <p class="faint">{why === '' ? 'Waiting for what the host records…' : why}</p>
}
