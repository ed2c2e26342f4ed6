/** One request to the gateway's `/mcp`, as a client that follows tasks and can be asked for an approval. */
import { ApiError, asRecord, posting, readJson, request, text } from '../../net/api.ts'

const REVISION = '2026-07-28'
const PREFIX = 'io.modelcontextprotocol/'
const CAPABILITIES = { elicitation: { form: {} }, extensions: { [`${PREFIX}tasks`]: {} } }

/** @throws {ApiError} */
export async function callMcp(
  method: 'tools/call' | 'tasks/get' | 'tasks/update',
  name: string,
  params: Record<string, unknown>,
  signal?: AbortSignal,
): Promise<Record<string, unknown>> {
  const _meta = {
    [`${PREFIX}protocolVersion`]: REVISION,
    [`${PREFIX}clientCapabilities`]: CAPABILITIES,
    [`${PREFIX}clientInfo`]: { name: 'ftl-page', version: '1' },
  }
  const body = { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } }
  const headers = {
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': REVISION,
    'mcp-method': method,
    'mcp-name': headerValue(name),
  }
  const init = { ...posting(body, headers), ...(signal && { signal }) }
  const answer = asRecord(await readJson(await request('/mcp', init, true)))
  if (answer['result'] !== undefined) return asRecord(answer['result'])
  const message = text(asRecord(answer['error'])['message']) ?? 'The gateway gave no result.'
  throw new ApiError(200, 'failed', message)
}

/** What is not ASCII is sent in base64, as the protocol has it. */
function headerValue(name: string): string {
  if (/^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(name)) return name
  return `=?base64?${btoa(String.fromCharCode(...new TextEncoder().encode(name)))}?=`
}
