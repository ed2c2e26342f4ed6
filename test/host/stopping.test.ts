// What a client that listens for changes hears when the server gets SIGTERM: the result of its request, and not a cut connection.
// https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/subscriptions#graceful-closure
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { expect, it } from 'vitest'
import { ftl } from '../support/command.ts'
import { MANIFESTS, PUT_TOGETHER } from '../support/manifests.ts'
import { buildScript, startOnNode } from '../support/scripts.ts'

const UP = ['up', '--from', MANIFESTS.application, '--listen', '127.0.0.1:0', '--state-dir', '']
// On a busy machine the gateway may need longer than the two seconds that it usually has.
const LISTENING = ['--variable', 'list_changes=on', '--drain-ms', '20000']

it.each([
  ['beside the components', []],
  ['in its sandbox', ['--sandboxed-gateway']],
])(
  '[subscriptions.graceful] with the gateway %s, a subscription ends gracefully, and the host with it',
  async (_, where) => {
    const command = ftl([...UP, ...LISTENING, ...where])
    try {
      await command.printed('Available Routes:')
      const [, url = ''] = /Serving (\S+)/.exec(command.output()) ?? []
      const { closed } = await listened(url)
      command.signal('SIGTERM')
      expect(await closed).toBe('graceful')
      expect(await command.exited).toBe(0)
    } finally {
      command.signal('SIGKILL')
    }
  },
  90_000,
)

it('[subscriptions.graceful] on Node, a subscription ends gracefully, and the server with it', async () => {
  const folder = await buildScript(['--single', '--target', 'node', '--from', PUT_TOGETHER])
  const server = await startOnNode(folder, { list_page_size: '1000; list_changes=on' })
  try {
    const { closed } = await listened(server.url)
    const ended = server.stop()
    expect(await closed).toBe('graceful')
    expect(await ended).toBe(0)
  } finally {
    await server.close()
  }
}, 90_000)

/** @returns how the subscription of an official client ends. */
async function listened(url: string): Promise<{ closed: Promise<string> }> {
  const pin = { versionNegotiation: { mode: { pin: '2026-07-28' as const } } }
  const client = new Client({ name: 'test', version: '1.0.0' }, pin)
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`)))
  const { honoredFilter, closed } = await client.listen({ toolsListChanged: true })
  expect(honoredFilter).toEqual({ toolsListChanged: true })
  return { closed }
}
