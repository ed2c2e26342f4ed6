/** A request that the native gateway sends, as the host sends those of components. */
import type { HeaderEntry } from '../http/header-rules.ts'
import { isForbiddenHeader } from '../http/header-rules.ts'
import { Pipe } from '../http/pipe.ts'
import type { OutboundRequest } from '../instance/services.ts'
import { Body, bytesOf, type Content } from './body.ts'
import { NativeHeaders } from './headers.ts'
import { NativeRequest, type NativeRequestInit } from './messages.ts'
import { PipeSource } from './pipe-source.ts'

/** Milliseconds for each of connecting, the first byte and the gap between bytes; the same as Spin's. */
const TIMEOUT_MS = 600_000

export interface Outgoing extends Omit<OutboundRequest, 'signal'> {
  signal: AbortSignal | null
}

/** @throws {TypeError} */
export function outgoing(input: string | URL | NativeRequest, init?: NativeRequestInit): Outgoing {
  const request = new NativeRequest(input, init)
  // The host answers a redirect as any response, and the gateway follows none.
  if (init?.redirect === 'follow') throw new TypeError('A native gateway follows no redirect.')
  const { method, signal } = request
  const url = new URL(request.url)
  const headers = NativeHeaders.entriesOf(request.headers).filter(
    ([name]) => !isForbiddenHeader(name),
  )
  const body = new Pipe()
  body.discardWhenCancelled()
  write(Body.take(request), body, headers)
  return {
    method,
    scheme: url.protocol.slice(0, -1),
    authority: url.host,
    path: url.pathname + url.search,
    headers,
    body,
    signal,
    connectTimeoutMs: TIMEOUT_MS,
    firstByteTimeoutMs: TIMEOUT_MS,
    betweenBytesTimeoutMs: TIMEOUT_MS,
  }
}

/** The gateway sends whole texts only. */
function write(content: Content, body: Pipe, headers: HeaderEntry[]): void {
  if (content instanceof PipeSource || content instanceof ReadableStream) {
    throw new TypeError('A native gateway sends no streams.')
  }
  if (content !== null) {
    const bytes = bytesOf(content)
    if (!headers.some(([name]) => name === 'content-length')) {
      headers.push(['content-length', String(bytes.length)])
    }
    body.write(bytes)
  }
  body.end()
}
