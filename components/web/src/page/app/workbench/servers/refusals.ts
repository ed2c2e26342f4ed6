/** Why another server cannot be used, and what to do about it. The errors of `fetch` say neither. */
import { asRecord, text } from '../../net/api.ts'
import { parametersOf, plainWords } from '../../sign-in/challenge.ts'
import type { Server } from './known-servers.ts'

export interface Refusal {
  kind: 'cors' | 'unreachable' | 'sign-in' | 'forbidden' | 'redirect' | 'answer' | 'other'
  message: string
  /** What to do. */
  help: string
  /** Of a response that requires a token: addresses and scopes, unchecked. */
  challenge?: { metadata: string; scope: string }
}

/** Of the last request that failed, by server: the official client wraps errors, and drops some. */
const last = new Map<string, Refusal>()

export function noteRefusal({ id }: Server, refusal: Refusal | undefined): void {
  if (refusal) last.set(id, refusal)
  else last.delete(id)
}

/** @returns what is known about an error of a request to this server. */
export function refusalOf(server: Server, error: unknown): Refusal {
  const known = last.get(server.id)
  if (known) return known
  const message = error instanceof Error ? error.message : ''
  const words = plainWords(message.replaceAll(`server "${new URL(server.url).host}"`, 'The server'))
  return { kind: 'other', message: words || 'Something went wrong.', help: '' }
}

const HEADERS =
  'Content-Type, Accept, Authorization, Mcp-Protocol-Version, Mcp-Session-Id, Mcp-Method, Mcp-Name, Last-Event-ID'

export function corsRefusal(): Refusal {
  return {
    kind: 'cors',
    message: 'The server is up, but it does not allow requests of this page (CORS).',
    help:
      `It must allow the origin ${location.origin}, the methods POST, GET and DELETE, and the headers ${HEADERS}; ` +
      'and expose Mcp-Session-Id and WWW-Authenticate.',
  }
}

export function unreachable(): Refusal {
  return {
    kind: 'unreachable',
    message: 'The server cannot be reached.',
    help: 'Check that it is running, and that the address and the port are right.',
  }
}

export function redirected(): Refusal {
  return {
    kind: 'redirect',
    message: 'The server redirects to another address.',
    help: 'The page does not follow it, because your token would go there. Enter the address of the MCP endpoint itself.',
  }
}

/** @param said the body of the response. @returns `undefined` for a response without an error. */
export function refused(response: Response, said: string, hasSecret: boolean): Refusal | undefined {
  const { status, headers } = response
  if (status < 400) return undefined
  const parameters = parametersOf(headers.get('www-authenticate') ?? '')
  const challenge = {
    metadata: parameters.get('resource_metadata') ?? '',
    scope: parameters.get('scope') ?? '',
  }
  if (status === 401) {
    return {
      kind: 'sign-in',
      message: hasSecret
        ? 'The server did not accept the token (401).'
        : 'The server requires a token (401).',
      help: 'Sign in, if the server offers it, or enter a token.',
      challenge,
    }
  }
  if (status === 403) {
    return {
      kind: 'forbidden',
      message: 'The server refuses the request (403).',
      help:
        'The token may lack a permission, or the server may not allow the origin ' +
        `${location.origin} or the name in its address.`,
      challenge,
    }
  }
  const words = plainWords(reasonIn(said))
  return {
    kind: 'other',
    message: `The server answered with status ${status}${words === '' ? '.' : `: “${words}”`}`,
    help: helpFor(status, words),
  }
}

/** The message of a JSON-RPC error, or a short text. */
function reasonIn(said: string): string {
  try {
    return text(asRecord(asRecord(JSON.parse(said))['error'])['message']) ?? ''
  } catch {
    return said.startsWith('<') ? '' : said
  }
}

function helpFor(status: number, words: string): string {
  if (/session|not initialized/i.test(words)) {
    return (
      'If the server keeps sessions, it must let pages read the session id: ' +
      'Access-Control-Expose-Headers: Mcp-Session-Id.'
    )
  }
  if (status === 429) return 'Wait a little, and try again.'
  return status === 404 || status === 405
    ? 'Check the path of the address: it must be the MCP endpoint, often /mcp.'
    : ''
}
