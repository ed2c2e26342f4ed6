// The official clients, unchanged: what they can do with any MCP server they can do with the gateway.
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import {
  Client as Client2,
  StreamableHTTPClientTransport as Transport2,
} from '@modelcontextprotocol/client'
import { Client as Client1 } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as Transport1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApplication, type TestApplication } from '../support/application.ts'

let application: TestApplication
beforeAll(async () => (application = await startApplication()))
afterAll(() => application.close())

const ME = { name: 'test', version: '1.0.0' }
const ECHO = { name: 'echo', arguments: { message: 'Grüße 🐉' } }
const ECHOED = [{ type: 'text', text: 'Grüße 🐉' }]

it('the SDK v1 client lists the tools and calls echo', async () => {
  const client = new Client1(ME)
  await client.connect(new Transport1(new URL(`${application.url}/mcp`)))
  expect(client.getServerVersion()).toMatchObject({ name: 'ftl-mcp-gateway' })
  const { tools } = await client.listTools()
  expect(tools.map(({ name }) => name)).toContain('echo')
  expect((await client.callTool(ECHO))['content']).toEqual(ECHOED)
  await client.close()
})

it('the SDK v2 client lists the tools and calls echo', async () => {
  const client = new Client2(ME)
  await client.connect(new Transport2(new URL(`${application.url}/mcp`)))
  const { tools } = await client.listTools()
  expect(tools.map(({ name }) => name)).toContain('echo')
  expect((await client.callTool(ECHO)).content).toEqual(ECHOED)
  await client.close()
})

describe('the Inspector’s command line', () => {
  let home: string
  beforeAll(async () => (home = await mkdtemp(join(tmpdir(), 'ftl-inspector-'))))
  afterAll(() => rm(home, { recursive: true, force: true }))

  async function inspect(...args: string[]): Promise<string> {
    const inspector = fileURLToPath(
      new URL('../../node_modules/.bin/mcp-inspector', import.meta.url),
    )
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [inspector, '--cli', `${application.url}/mcp`, '--format', 'json', ...args],
      { env: { ...process.env, HOME: home, MCP_INSPECTOR_SECRET_STORE: 'memory' } },
    )
    return stdout
  }

  it('lists the tools', async () => {
    const { result } = JSON.parse(await inspect('--method', 'tools/list')) as {
      result: { tools: { name: string }[] }
    }
    expect(result.tools.map(({ name }) => name)).toContain('echo')
  })

  it('calls echo', async () => {
    const { result } = JSON.parse(
      await inspect('--method', 'tools/call', '--tool-name', 'echo', '--tool-arg', 'message=Hello'),
    ) as { result: { content: unknown } }
    expect(result.content).toEqual([{ type: 'text', text: 'Hello' }])
  })
})
