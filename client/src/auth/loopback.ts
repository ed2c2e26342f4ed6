/** Receives the answer of the authorization server on this machine (RFC 8252, section 7.3). */
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { AuthenticationError } from '../errors.ts'
import { parseUrl } from './parse-url.ts'

const PATH = '/callback'
/** Any page in the browser can send answers here. These are ignored; a program that tries states is not. */
const MOST_STRANGE_ANSWERS = 20

export interface LoopbackReceiver {
  redirectUri: string
  /** Settles with the parameters of the one answer whose `state` is right. */
  answer: Promise<URLSearchParams>
  close(): Promise<void>
}

/**
 * Listens on 127.0.0.1 for one answer.
 *
 * @param port @default 0: one that is free
 * @throws {AuthenticationError} when the port is in use.
 */
export async function receiveOnLoopback(state: string, port = 0): Promise<LoopbackReceiver> {
  const server = createServer({ requestTimeout: 10_000, headersTimeout: 10_000 })
  // An answer is one short request.
  server.maxConnections = 20
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(new AuthenticationError(`the redirect port ${port} cannot be used (${error.code})`)),
    )
    server.listen(port, '127.0.0.1', resolve)
  })
  const { port: bound } = server.address() as AddressInfo
  let strange = 0
  const answer = new Promise<URLSearchParams>((resolve, reject) => {
    server.on('request', ({ method, url = '', headers }, response) => {
      const { pathname, searchParams } = parseUrl(`http://127.0.0.1:${bound}${url}`) ?? {}
      // Another name that leads to this machine (DNS rebinding) is not what the browser was sent to.
      if (headers.host !== `127.0.0.1:${bound}` || pathname !== PATH || !searchParams) {
        return page(response, 404, 'This address belongs to ftl, which waits for a sign-in.')
      }
      if (method !== 'GET') return page(response, 405, 'Only GET is allowed here.')
      if (searchParams.get('state') !== state) {
        if (++strange === MOST_STRANGE_ANSWERS) {
          reject(new AuthenticationError('too many answers did not belong to this sign-in'))
        }
        return page(response, 400, 'This answer does not belong to the sign-in that ftl waits for.')
      }
      page(
        response,
        200,
        searchParams.has('error')
          ? 'You are not signed in: see the terminal. You can close this window.'
          : 'ftl has received the answer. You can close this window.',
      )
      resolve(searchParams)
    })
  })
  // It may be rejected before the caller waits for it.
  answer.catch(() => undefined)
  return {
    redirectUri: `http://127.0.0.1:${bound}${PATH}`,
    answer,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeIdleConnections()
        // The page must still arrive.
        setTimeout(() => server.closeAllConnections(), 500).unref()
      }),
  }
}

/** Repeats nothing of the request. */
function page(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    connection: 'close',
  })
  response.end(
    `<!doctype html><html lang="en"><meta charset="utf-8"><title>ftl</title><p>${text}</p></html>\n`,
  )
}
