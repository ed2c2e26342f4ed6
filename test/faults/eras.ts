/** One request in the words of each kind of client. */
import { post, type RpcAnswer } from '../support/rpc.ts'

/** `plain`: no version header, as curl. `legacy`: after a handshake. `modern`: every request tells its revision. */
export type Era = 'plain' | 'legacy' | 'modern'

export const ERAS: readonly Era[] = ['plain', 'legacy', 'modern']

const LEGACY = '2025-11-25'
const MODERN = '2026-07-28'
const META = 'io.modelcontextprotocol/'

export interface Seen {
  era: Era
  /** As in {@link AskOptions}. */
  listens: boolean
  /** HTTP status. */
  status: number
  answer: RpcAnswer
  /** What came before the answer, on an event stream. */
  notifications: RpcAnswer[]
  /** Every byte of the body. */
  text: string
  /** From the request to the last byte. */
  milliseconds: number
}

export interface AskOptions {
  /** Takes an event stream and asks for progress. @default false */
  listens?: boolean
}

/** Sends one request and reads its answer to the end. */
export async function ask(
  url: string,
  era: Era,
  method: string,
  params: Readonly<Record<string, unknown>> = {},
  { listens = false }: AskOptions = {},
): Promise<Seen> {
  const meta = {
    ...(listens && { progressToken: 'progress' }),
    ...(era === 'modern' && {
      [`${META}protocolVersion`]: MODERN,
      [`${META}clientCapabilities`]: {},
    }),
  }
  const body = { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: meta } }
  const started = performance.now()
  const response = await post(url, body, {
    accept: listens ? 'application/json, text/event-stream' : 'application/json',
    ...headersOf(era, method, params),
  })
  const text = await response.text()
  const milliseconds = performance.now() - started
  const messages = messagesIn(response, text)
  const [answer, ...more] = messages.filter((message) => message.id !== undefined)
  if (!answer || more.length > 0 || messages.at(-1) !== answer) {
    throw new Error(`not one answer, and that at the end: ${text.slice(-500)}`)
  }
  const notifications = messages.slice(0, -1)
  return { era, listens, status: response.status, answer, notifications, text, milliseconds }
}

function headersOf(
  era: Era,
  method: string,
  { name, uri }: Readonly<Record<string, unknown>>,
): Record<string, string> {
  if (era === 'plain') return {}
  if (era === 'legacy') return { 'mcp-protocol-version': LEGACY }
  const named = name ?? uri
  return {
    'mcp-protocol-version': MODERN,
    'mcp-method': method,
    ...(typeof named === 'string' && { 'mcp-name': named }),
  }
}

function messagesIn({ headers }: Response, text: string): RpcAnswer[] {
  if (!headers.get('content-type')?.startsWith('text/event-stream')) {
    return [JSON.parse(text) as RpcAnswer]
  }
  return [...text.matchAll(/^data: (.*)$/gm)].map(([, data = '']) => JSON.parse(data) as RpcAnswer)
}
