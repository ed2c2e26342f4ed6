// What a check says that cannot be tried.
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { runChecks } from '../run.ts'

let server: Server
afterEach(() => server.close())

async function reasonFor(tool: object): Promise<string | undefined> {
  server = createServer((request, response) => {
    const isOffer = request.url === '/' && request.method === 'GET'
    const result = { content: [{ type: 'text', text: 'No such city' }], isError: true }
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(isOffer ? [tool] : result))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { verdicts } = await runChecks({
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  })
  return verdicts.find(({ id }) => id === 'call.structured')?.reason
}

const tool = { name: 'near', description: 'Finds a city', inputSchema: { type: 'object' } }

it('names the tool that refused its arguments, and how to give others', async () => {
  const reason = await reasonFor({ ...tool, outputSchema: { type: 'object' } })
  expect(reason).toContain(`--tool near --args '{…}'`)
})

it('does not ask for arguments of a tool without an outputSchema', async () => {
  expect(await reasonFor(tool)).toBe('no tool has an outputSchema')
})
