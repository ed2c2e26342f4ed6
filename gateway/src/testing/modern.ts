/** Requests of revision 2026-07-28, for tests of the gateway. */

const PREFIX = 'io.modelcontextprotocol/'

const VERSION = '2026-07-28'

export interface ModernOptions {
  id?: string | number
  capabilities?: object
  /** More of `_meta`. */
  meta?: object
  /** Replaces or, with `undefined`, removes a header. */
  headers?: Record<string, string | undefined>
  /** @default /mcp */
  path?: string
}

/** As a client that follows the specification sends it. */
export function modern(
  method: string,
  params: Record<string, unknown> = {},
  { id = 1, capabilities = {}, meta = {}, headers = {}, path = '/mcp' }: ModernOptions = {},
): Request {
  const name = params['name'] ?? params['uri']
  const sent = new Headers({
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': VERSION,
    'mcp-method': method,
    ...(typeof name === 'string' && { 'mcp-name': encode(name) }),
  })
  for (const [header, value] of Object.entries(headers)) {
    if (value === undefined) sent.delete(header)
    else sent.set(header, value)
  }
  const _meta = {
    [`${PREFIX}protocolVersion`]: VERSION,
    [`${PREFIX}clientCapabilities`]: capabilities,
    [`${PREFIX}clientInfo`]: { name: 'test', version: '1' },
    ...meta,
  }
  const body = JSON.stringify({ jsonrpc: '2.0', method, params: { ...params, _meta }, id })
  return new Request(`http://localhost:3000${path}`, { method: 'POST', headers: sent, body })
}

function encode(name: string): string {
  if (/^[\x21-\x7e]+$/.test(name)) return name
  return `=?base64?${Buffer.from(name).toString('base64')}?=`
}

/** The messages of an event stream. */
export async function messagesOf(response: Response): Promise<Record<string, unknown>[]> {
  const text = await response.text()
  return text
    .split('\n\n')
    .filter((event) => event.startsWith('event: message'))
    .map((event) => JSON.parse(event.slice(event.indexOf('data: ') + 6)) as Record<string, unknown>)
}
