/** A request that the native gateway sends, as the host sends those of components. */
import { Pipe } from '../http/pipe.ts'
import type { OutboundRequest } from '../instance/services.ts'
import { Body } from './body.ts'
import { NativeRequest, type NativeRequestInit } from './messages.ts'
import { PipeSource } from './pipe-source.ts'
import { writeStream } from './write-stream.ts'
import { ownHeaders, writeWhole } from './write-whole.ts'

/** Milliseconds for each of connecting, the first byte and the gap between bytes; the same as Spin's. */
const TIMEOUT_MS = 600_000

export interface Outgoing extends Omit<OutboundRequest, 'signal'> {
  signal: AbortSignal | null
}

/** @throws {TypeError} */
export function outgoing(input: string | URL | NativeRequest, init?: NativeRequestInit): Outgoing {
  const request = new NativeRequest(input, init)
  // The host follows none, and the engine of a component does unless this is said.
  if (init?.redirect !== 'manual') throw new TypeError('fetch needs redirect: "manual" here')
  const content = Body.take(request)
  if (content instanceof PipeSource) throw new TypeError('fetch takes no message as a body here')
  const { method, signal } = request
  const url = new URL(request.url)
  const headers = ownHeaders(request.headers)
  const body = new Pipe()
  body.discardWhenCancelled()
  if (content instanceof ReadableStream) void writeStream(content, body)
  else writeWhole(content, { headers, body })
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
