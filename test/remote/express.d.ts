/** What the tests use of `express`, which comes with the official SDK and has no types of its own. */
declare module 'express' {
  import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
  export type Handler = (
    request: IncomingMessage & { body?: unknown },
    response: ServerResponse,
    next: () => void,
  ) => unknown
  interface Express extends RequestListener {
    use(...handlers: Handler[]): void
    post(path: string, ...handlers: Handler[]): void
  }
  const express: { (): Express; json(): Handler }
  export default express
}
