import {
  type JSONRPCMessage,
  StreamableHTTPClientTransport,
  type TransportSendOptions,
} from '@modelcontextprotocol/client'
import type { HttpConfig } from '../config/server-config.ts'
import { ConnectionError } from '../errors.ts'
import { answeredRequest, failureResponse, type PendingRequests } from './pending-requests.ts'

/** The official transport; an answer that breaks off ends its request at once, where that one waits for the timeout. */
export class HttpTransport extends StreamableHTTPClientTransport {
  readonly #pending: PendingRequests
  readonly #name: string

  constructor(
    { url, headers }: HttpConfig,
    {
      name,
      pending,
      fetch,
    }: { name: string; pending: PendingRequests; fetch?: typeof globalThis.fetch },
  ) {
    super(new URL(url), {
      ...(headers && { requestInit: { headers: { ...headers } } }),
      ...(fetch && { fetch }),
    })
    this.#name = name
    this.#pending = pending
  }

  override async send(
    message: JSONRPCMessage | JSONRPCMessage[],
    options: TransportSendOptions = {},
  ): Promise<void> {
    // No revision since 2025-06-18 has lists of messages, and nothing here sends one.
    if (Array.isArray(message) || !('method' in message)) return super.send(message, options)
    if (!('id' in message)) {
      const cancelled =
        message.method === 'notifications/cancelled' && message.params?.['requestId']
      if (typeof cancelled === 'number') this.#pending.settle(cancelled)
      return super.send(message, options)
    }
    const { id } = message
    const { requestSignal, onRequestStreamEnd } = options
    this.#pending.add(id)
    const forget = () => void this.#pending.settle(id)
    requestSignal?.addEventListener('abort', forget, { once: true })
    try {
      const request = {
        ...options,
        onRequestStreamEnd: () => {
          onRequestStreamEnd?.()
          if (!this.#pending.settle(id) || onRequestStreamEnd) return
          const error = new ConnectionError(`server "${this.#name}" broke off its answer`)
          this.onmessage?.(failureResponse(id, error))
        },
      }
      await answeredRequest.run({ id, pending: this.#pending }, () => super.send(message, request))
    } catch (error) {
      forget()
      throw error
    }
  }
}
