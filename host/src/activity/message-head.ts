/** What an MCP message is about, read from its body: `tools/call` and the name of the tool. Never its arguments. */

export interface MessageHead {
  rpc: string | undefined
  target: string | undefined
  client: { name: string | undefined; version: string | undefined } | undefined
}

/** Bytes of a body that is looked at: parsing takes about 0.2 ms for this much. */
const MAX_BODY = 64 * 1024

const MAX_TEXT = 128

/** @returns `undefined` for what is not a JSON-RPC request. A batch is read as its first message. */
export function messageHead(body: Uint8Array): MessageHead | undefined {
  if (body.length === 0 || body.length > MAX_BODY) return undefined
  let message: unknown
  try {
    message = JSON.parse(Buffer.from(body.buffer, body.byteOffset, body.length).toString('utf8'))
  } catch {
    return undefined
  }
  const first = Array.isArray(message) ? (message as unknown[])[0] : message
  const rpc = text(own(first, 'method'))
  if (rpc === undefined) return undefined
  const params = own(first, 'params')
  const target = text(own(params, 'name')) ?? text(own(params, 'uri'))
  const info =
    own(params, 'clientInfo') ?? own(own(params, '_meta'), 'io.modelcontextprotocol/clientInfo')
  const name = text(own(info, 'name'))
  const client = name === undefined ? undefined : { name, version: text(own(info, 'version')) }
  return { rpc, target: target?.replace(/\?.*$/s, ''), client }
}

function own(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
  return (value as Record<string, unknown>)[key]
}

function text(value: unknown): string | undefined {
  if (typeof value !== 'string' || value === '') return undefined
  return value.length > MAX_TEXT ? `${value.slice(0, MAX_TEXT)}…` : value
}
