/** The official TypeScript SDK's server without a gateway: the floor. */
import { readFile } from 'node:fs/promises'
import { startEchoServers } from '../echo-servers.ts'
import type { Peer } from '../peer.ts'

const MANIFEST = new URL(
  '../../../node_modules/@modelcontextprotocol/sdk/package.json',
  import.meta.url,
)

export const sdk: Peer = {
  name: 'sdk',
  ownTool: true,
  about:
    'the echo server itself, one process of Node with one thread, sessions, JSON answers; no gateway',
  more: 'a library for servers; it forwards nothing',
  noHungBackend: 'it has no backends',
  install: async () =>
    (JSON.parse(await readFile(MANIFEST, 'utf8')) as { version: string }).version,
  async start() {
    const { urls, ...process } = await startEchoServers(1)
    return { ...process, url: urls[0] ?? '' }
  },
}
