/** The official TypeScript clients, each way they connect, behind what they have in common. */
import {
  Client as Client2,
  type ClientOptions,
  StreamableHTTPClientTransport as Transport2,
  type VersionNegotiationMode,
} from '@modelcontextprotocol/client'
import { Client as Client1 } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as Transport1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { LoggingMessageNotificationSchema } from '@modelcontextprotocol/sdk/types.js'

export const ME = { name: 'test', version: '1.0.0' }

export interface Listeners {
  onprogress?: (progress: { progress: number; total?: number }) => void
  /** Data of a log message; the call asks for level info where the revision asks by call. */
  onlog?: (data: unknown) => void
}

/** What every client can do; the results are what the client made of the gateway's. */
export interface SdkClient {
  getServerVersion(): { name: string } | undefined
  getServerCapabilities(): object | undefined
  listTools(): Promise<{ tools: { name: string; inputSchema: object }[] }>
  listPrompts(): Promise<{ prompts: { name: string }[] }>
  getPrompt(params: {
    name: string
    arguments?: Record<string, string>
  }): Promise<{ messages: { content: unknown }[] }>
  listResources(): Promise<{ resources: { uri: string }[] }>
  listResourceTemplates(): Promise<{ resourceTemplates: { uriTemplate: string }[] }>
  readResource(params: { uri: string }): Promise<{ contents: object[] }>
  complete(params: {
    ref: { type: 'ref/prompt'; name: string }
    argument: { name: string; value: string }
  }): Promise<{ completion: { values: string[] } }>
  close(): Promise<void>
}

export interface Connection {
  client: SdkClient
  /** The revision it says it speaks. */
  revision: string | undefined
  call: (
    name: string,
    args?: Record<string, unknown>,
    listeners?: Listeners,
  ) => Promise<{ content?: unknown; isError?: unknown }>
}

/** Connects to an endpoint. */
export type Connect = (endpoint: string) => Promise<Connection>

export const connectV1: Connect = async (endpoint) => {
  const client = new Client1(ME)
  const transport = new Transport1(new URL(endpoint))
  await client.connect(transport)
  return {
    client,
    revision: transport.protocolVersion,
    async call(name, args, { onprogress, onlog } = {}) {
      if (onlog) {
        client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) =>
          onlog(params.data),
        )
        await client.setLoggingLevel('info')
      }
      const call = { name, arguments: args }
      const { content, isError } = await client.callTool(call, undefined, following(onprogress))
      return { content, isError }
    },
  }
}

/** A client that shows progress waits as long as there is some; without this option it gives up after 60 s. */
const following = (onprogress: Listeners['onprogress']) => ({
  onprogress,
  resetTimeoutOnProgress: onprogress !== undefined,
})

export function connectV2(mode?: VersionNegotiationMode, options: ClientOptions = {}): Connect {
  return async (endpoint) => {
    const client = new Client2(ME, { ...options, ...(mode && { versionNegotiation: { mode } }) })
    return connected(client, endpoint)
  }
}

/** Connects a client that was made by hand, for example one that answers questions. */
export async function connected(client: Client2, endpoint: string): Promise<Connection> {
  await client.connect(new Transport2(new URL(endpoint)))
  return {
    client,
    revision: client.getNegotiatedProtocolVersion(),
    async call(name, args, { onprogress, onlog } = {}) {
      const modern = client.getProtocolEra() === 'modern'
      if (onlog) {
        client.setNotificationHandler('notifications/message', ({ params }) => onlog(params.data))
        if (!modern) await client.setLoggingLevel('info')
      }
      const _meta = onlog && modern ? { 'io.modelcontextprotocol/logLevel': 'info' as const } : {}
      return client.callTool({ name, arguments: args, _meta }, following(onprogress))
    },
  }
}
