/**
 * A client as assistants shipped it in 2025: it initializes, opens the stream of the server if there is one, asks for progress
 * with each call, reads JSON or event streams, and knows neither tasks nor questions.
 */
import { readAnswer } from '../../contract/mcp/client.ts'
import { AS_ADA } from './world.ts'

export interface LegacyCall {
  text: string | undefined
  isError: boolean
  /** Messages of the notifications that came before the result. */
  messages: string[]
}

export interface LegacyClient {
  revision: string
  list: () => Promise<string[]>
  call: (name: string, args: object) => Promise<LegacyCall>
}

export async function connectLegacy(url: string, revision: string): Promise<LegacyClient> {
  let lastId = 0
  let headers: Record<string, string> = {
    ...AS_ADA,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  }
  const post = async (message: object) => {
    const body = JSON.stringify({ jsonrpc: '2.0', ...message })
    const response = await fetch(url, { method: 'POST', headers, body })
    const session = response.headers.get('mcp-session-id')
    if (session !== null) headers = { ...headers, 'mcp-session-id': session }
    return readAnswer(response.status, response.headers, await response.text())
  }
  const request = (method: string, params: object = {}) =>
    post({ id: `request-${++lastId}`, method, params })

  const { result } = await request('initialize', {
    protocolVersion: revision,
    capabilities: { roots: {} },
    clientInfo: { name: 'assistant', version: '0.9' },
  })
  // The header is of 2025-06-18; clients of the revision before do not send it.
  if (revision >= '2025-06-18') headers = { ...headers, 'mcp-protocol-version': revision }
  await post({ method: 'notifications/initialized' })
  const stream = await fetch(url, { headers: { ...headers, accept: 'text/event-stream' } })
  await stream.body?.cancel()
  if (stream.status !== 200 && stream.status !== 405) {
    throw new Error(`the stream of the server: ${stream.status}`)
  }
  return {
    revision: String(result['protocolVersion']),
    async list() {
      const { result: listed } = await request('tools/list')
      return (listed['tools'] as { name: string }[]).map(({ name }) => name)
    },
    async call(name, args) {
      const _meta = { progressToken: lastId + 1 }
      const {
        messages,
        result: called,
        error,
      } = await request('tools/call', {
        ...{ name, arguments: args, _meta },
      })
      // Without the header of a revision, the gateway answers as docs/protocol.md says of plain clients.
      if (error) return { text: JSON.stringify(error), isError: true, messages: [] }
      const content = called['content'] as { text?: string }[]
      return {
        text: content[0]?.text,
        isError: called['isError'] === true,
        messages: messages.flatMap((each) => {
          const { method, params } = each as { method?: string; params?: { message?: string } }
          return method === 'notifications/progress' ? [params?.message ?? ''] : []
        }),
      }
    },
  }
}
