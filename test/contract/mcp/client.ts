/** A client of any revision that sends exactly the given request, and returns exactly what came back. */
import { request as httpRequest } from 'node:http'
import { ALL, LEGACY } from '../../requirements/rule.ts'
import type { RpcAnswer } from '../../support/rpc.ts'

export { ALL, LEGACY }
export const MODERN = '2026-07-28'

const META = 'io.modelcontextprotocol/'
export const VERSION_KEY = `${META}protocolVersion`
export const CAPABILITIES_KEY = `${META}clientCapabilities`
export const CLIENT_KEY = `${META}clientInfo`
export const LOG_LEVEL_KEY = `${META}logLevel`
export const SERVER_KEY = `${META}serverInfo`
export const SUBSCRIPTION_KEY = `${META}subscriptionId`

/** Every capability of a client that a server can use. */
export const ALL_CAPABILITIES = { elicitation: { form: {} }, sampling: {}, roots: {} }

export interface AskOptions {
  /** `null` is a plain client, which sends no revision. @default {@link MODERN} */
  revision?: string | null
  /** @default 1 */
  id?: string | number
  /** Sent by a modern client only. @default {} */
  capabilities?: object
  /** Overrides what the revision requires; `undefined` leaves a key out. */
  meta?: Record<string, unknown>
  /** Overrides what the revision requires; `undefined` leaves a header out. */
  headers?: Record<string, string | undefined>
}

export interface Answer {
  status: number
  headers: Headers
  /** The body as it came. */
  text: string
  /** Every message of it, one or a whole stream. */
  messages: RpcAnswer[]
  /** Of the last message. */
  result: Record<string, unknown>
  error: { code: number; message: string; data?: Record<string, unknown> } | undefined
}

/** Sends one request as a client of the revision does. */
export function ask(
  url: string,
  method: string,
  params: Record<string, unknown> = {},
  options: AskOptions = {},
): Promise<Answer> {
  const { headers, message } = requestOf(method, params, options)
  return send(url, message, headers)
}

/** The request that {@link ask} sends. */
export function requestOf(
  method: string,
  params: Record<string, unknown>,
  { revision = MODERN, id = 1, capabilities = {}, meta = {}, headers = {} }: AskOptions = {},
): { headers: Record<string, string>; message: object } {
  const modern = revision !== null && revision >= MODERN
  const _meta = {
    ...(modern && {
      [VERSION_KEY]: revision,
      [CLIENT_KEY]: { name: 'contract-tests', version: '1.0.0' },
      [CAPABILITIES_KEY]: capabilities,
    }),
    ...meta,
  }
  const name = method === 'resources/read' ? params['uri'] : params['name']
  const named = ['tools/call', 'prompts/get', 'resources/read'].includes(method)
  const sent: Record<string, string | undefined> = {
    ...(revision !== null && { 'mcp-protocol-version': revision }),
    ...(modern && { 'mcp-method': method }),
    ...(modern && named && typeof name === 'string' && { 'mcp-name': name }),
    ...headers,
  }
  const body = Object.keys(_meta).length > 0 ? { ...params, _meta } : params
  return {
    headers: Object.fromEntries(
      Object.entries(sent).filter((entry): entry is [string, string] => entry[1] !== undefined),
    ),
    message: { jsonrpc: '2.0', id, method, params: body },
  }
}

/** Sends anything. `accept` and `content-type` are those of an official client unless `headers` says otherwise. */
export async function send(
  url: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const response = await fetch(`${url}/mcp`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
  return readAnswer(response.status, response.headers, await response.text())
}

export function readAnswer(status: number, headers: Headers, text: string): Answer {
  const streamed = headers.get('content-type')?.startsWith('text/event-stream') ?? false
  const messages = text === '' ? [] : streamed ? eventsOf(text) : [JSON.parse(text) as RpcAnswer]
  const last = messages.at(-1)
  return { status, headers, text, messages, result: last?.result ?? {}, error: last?.error }
}

/** The messages of an event stream; comments and empty events carry none. */
function eventsOf(text: string): RpcAnswer[] {
  return text
    .split(/\r?\n\r?\n/)
    .map((event) =>
      event
        .split(/\r?\n/)
        .filter((line) => line.startsWith('data:'))
        .map((line) => line.slice('data:'.length).trim())
        .join('\n'),
    )
    .filter((data) => data !== '')
    .map((data) => JSON.parse(data) as RpcAnswer)
}

/** Sends headers as they are spelled, `Host` included, which `fetch` does not. */
export function sendRaw(
  url: string,
  {
    method = 'POST',
    headers,
    body = '',
  }: { method?: string; headers: Record<string, string>; body?: string },
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(`${url}/mcp`, { method, headers, agent: false }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => {
        const received = new Headers(response.headers as Record<string, string>)
        const text = Buffer.concat(chunks).toString('utf8')
        const json = received.get('content-type')?.includes('json') ?? false
        resolve(readAnswer(response.statusCode ?? 0, received, json ? text : ''))
      })
    })
    request.on('error', reject)
    request.end(body)
  })
}

/** Text of the first content of a tool result. */
export function textOf({ result }: Answer): unknown {
  return (result['content'] as { text?: unknown }[] | undefined)?.[0]?.text
}
