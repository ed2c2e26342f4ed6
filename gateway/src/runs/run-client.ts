/** What a run keeps of the client's request: for the audit log, for traces and for links in results. */
import { isString } from 'ftl-contract'
import { originOf } from '../calls/client-request.ts'
import { shortText } from '../short-text.ts'
import type { CallContext } from '../invoke/call-context.ts'
import type { Grant } from './capability.ts'

export function clientOfRun({ trace, sender }: CallContext): Pick<Grant, 'origin' | 'client'> {
  const { name, version } = (sender?.meta[CLIENT] ?? {}) as Record<string, unknown>
  const traceparent = trace?.traceparent
  return {
    origin: sender ? originOf(sender.request) : '',
    client: {
      agent: shortText(sender?.request.headers.get('user-agent')),
      info: { name: shortText(name), version: shortText(version) },
      ...(isString(traceparent) && traceparent.length < 64 && { traceparent }),
    },
  }
}

const CLIENT = 'io.modelcontextprotocol/clientInfo'
