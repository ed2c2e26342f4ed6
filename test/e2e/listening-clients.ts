// Clients of each era that list the tools again whenever the server says that the list has changed.
import { Client as ClientV2, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as TransportV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js'
import { Client } from 'ftl-client'

export interface ListeningClient {
  /** Names of the tools, as it listed them after the last notification; none before the first. */
  names: string[]
  close(): Promise<void>
}

const ME = { name: 'dev-test', version: '1' }

const namesOf = (tools: readonly { name: string }[]) => tools.map(({ name }) => name)

/** The official client of the revisions with a handshake. */
export async function listenV1(url: string): Promise<ListeningClient> {
  const client = new ClientV1(ME)
  const listening: ListeningClient = { names: [], close: () => client.close() }
  client.setNotificationHandler(ToolListChangedNotificationSchema, async () => {
    listening.names = namesOf((await client.listTools()).tools)
  })
  // Its types are not written for `exactOptionalPropertyTypes`.
  await client.connect(new TransportV1(new URL(url)))
  return listening
}

/** The official client of revision 2026-07-28. */
export async function listenV2(url: string): Promise<ListeningClient> {
  const listening: ListeningClient = { names: [], close: () => client.close() }
  const client: ClientV2 = new ClientV2(ME, {
    versionNegotiation: { mode: { pin: '2026-07-28' } },
    listChanged: {
      tools: { onChanged: (_, tools) => void (listening.names = namesOf(tools ?? [])) },
    },
  })
  await client.connect(new StreamableHTTPClientTransport(new URL(url)))
  return listening
}

/** The client of this repository, which caches the list until the notification. */
export async function connectOwn(
  url: string,
): Promise<{ list: () => Promise<string[]>; close: () => Promise<void> }> {
  const client = await Client.connect({ url })
  await client.initialize()
  return { list: async () => namesOf(await client.listTools()), close: () => client.close() }
}
