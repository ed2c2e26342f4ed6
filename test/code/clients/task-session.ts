/** The official client with the official package for tasks. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import {
  type ApplicationInputRequest,
  createTaskSessionFromClient,
  type TaskEnabledSession,
} from '@modelcontextprotocol/ext-tasks/client'
import { AS_ADA } from './world.ts'

const ME = { name: 'test', version: '1.0.0' }
const REVISION = '2026-07-28'
const ENDPOINT = 'test'

export interface Tasks {
  session: TaskEnabledSession
  /** What the user was asked. */
  asked: string[]
  close(): Promise<void>
}

/** @param action of the user, to every question. */
export async function connectTasks(
  url: string,
  action: 'accept' | 'decline' = 'accept',
): Promise<Tasks> {
  const capabilities = { elicitation: {} }
  const client = new Client(ME, {
    versionNegotiation: { mode: { pin: REVISION } },
    capabilities: { ...capabilities, extensions: { 'io.modelcontextprotocol/tasks': {} } },
  })
  await client.connect(
    new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers: AS_ADA } }),
  )
  const asked: string[] = []
  const session = createTaskSessionFromClient(client, {
    endpointId: ENDPOINT,
    // The official client refuses results that are tasks, so the package has its host send these requests.
    rawDispatch: (request, options) => dispatch(url, request as unknown as Framed, options?.signal),
    v2RequestFraming: {
      protocolVersion: REVISION,
      clientInfo: ME,
      clientCapabilities: capabilities,
    },
    onInputRequest: (async (input: ApplicationInputRequest) => {
      asked.push(JSON.stringify(input.params?.['message']))
      return action === 'accept' ? { action, content: {} } : { action }
    }) as never,
  })
  return {
    session,
    asked,
    async close() {
      await session.close()
      await client.close()
    },
  }
}

interface Framed {
  method: string
  params: { name?: string; taskId?: string }
}

let lastId = 0

async function dispatch(url: string, request: Framed, signal?: AbortSignal) {
  const { method, params } = request
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      ...AS_ADA,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': REVISION,
      'mcp-method': method,
      'mcp-name': params.name ?? params.taskId ?? '',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: ++lastId, ...request }),
    signal: signal ?? null,
  })
  const { result, error } = (await response.json()) as Answered
  return error
    ? { kind: 'error' as const, error }
    : { kind: 'result' as const, result: result ?? null }
}

interface Answered {
  result?: Record<string, never>
  error?: { code: number; message: string }
}
