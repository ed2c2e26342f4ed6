export interface RpcAnswer {
  jsonrpc: string
  id: unknown
  method?: string
  params?: Record<string, unknown>
  result?: Record<string, unknown>
  error?: { code: number; message: string; data?: Record<string, unknown> }
}

/** An answer that is no JSON, such as a refusal of the host. */
export class WithoutJson extends Error {
  readonly status: number

  constructor(status: number, text: string) {
    super(`${status} without JSON: "${text}"`)
    this.status = status
  }
}

/**
 * One JSON-RPC request as a plain client sends it: curl, or what the API reference shows.
 *
 * @throws {WithoutJson}
 */
export async function rpc(
  url: string,
  method: string,
  params?: unknown,
  headers: Record<string, string> = {},
): Promise<RpcAnswer> {
  const response = await post(
    url,
    { jsonrpc: '2.0', method, id: 1, ...(params ? { params } : {}) },
    headers,
  )
  const text = await response.text()
  try {
    return JSON.parse(text) as RpcAnswer
  } catch {
    throw new WithoutJson(response.status, text)
  }
}

export function post(
  url: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<Response> {
  return fetch(`${url}/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
}

export function callTool(
  url: string,
  name: string,
  args: unknown = {},
  headers?: Record<string, string>,
): Promise<RpcAnswer> {
  return rpc(url, 'tools/call', { name, arguments: args }, headers)
}
