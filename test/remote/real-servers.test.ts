// Many people's servers behind one gateway at once, as a user gets them: from npm, by `ftl bridge-stdio --config`. An official
// client lists all of it and reads each kind of answer. What cannot be had is skipped with a reason.
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { expect, it } from 'vitest'
import { ftl } from '../support/command.ts'
import { CANNOT_RUN, startRemote } from './application.ts'

const NOWHERE = 'http://127.0.0.1:1'

/** Package and version, and what it must be given to start. None needs an account to list its tools. */
const PACKAGES: Record<string, { npm: string; bin: string; env?: Record<string, string> }> = {
  everything: {
    npm: '@modelcontextprotocol/server-everything@2026.8.31',
    bin: 'mcp-server-everything',
  },
  memory: { npm: '@modelcontextprotocol/server-memory@2026.8.31', bin: 'mcp-server-memory' },
  thinking: {
    npm: '@modelcontextprotocol/server-sequential-thinking@2026.8.31',
    bin: 'mcp-server-sequential-thinking',
  },
  context7: { npm: '@upstash/context7-mcp@4.1.1', bin: 'context7-mcp' },
  chart: { npm: '@antv/mcp-server-chart@0.9.10', bin: 'mcp-server-chart' },
  dokploy: {
    npm: '@dokploy/mcp@0.30.7',
    bin: 'dokploy-mcp',
    env: { DOKPLOY_URL: NOWHERE, DOKPLOY_API_KEY: 'x' },
  },
  ms365: { npm: '@softeria/ms-365-mcp-server@0.155.0', bin: 'ms-365-mcp-server' },
  notion: {
    npm: '@notionhq/notion-mcp-server@2.5.2',
    bin: 'notion-mcp-server',
    env: { NOTION_TOKEN: 'ntn_x' },
  },
  excel: { npm: '@negokaz/excel-mcp-server@0.12.0', bin: 'excel-mcp-server' },
  todoist: { npm: '@doist/todoist-mcp@11.0.0', bin: 'todoist-mcp', env: { TODOIST_API_KEY: 'x' } },
  paperless: {
    npm: '@baruchiro/paperless-mcp@2.2.1',
    bin: 'paperless-mcp',
    env: { PAPERLESS_URL: NOWHERE, PAPERLESS_API_KEY: 'x' },
  },
  kubernetes: { npm: 'mcp-server-kubernetes@4.1.7', bin: 'mcp-server-kubernetes' },
}

const run = promisify(execFile)

async function connect(url: string): Promise<Client> {
  const client = new Client({ name: 'real-servers', version: '1' })
  await client.connect(new StreamableHTTPClientTransport(new URL(url)))
  return client
}

async function toolsOf(url: string): Promise<string[]> {
  const client = await connect(url)
  const names: string[] = []
  let cursor: string | undefined
  do {
    const page = await client.listTools({ cursor })
    names.push(...page.tools.map(({ name }) => name))
    cursor = page.nextCursor
  } while (cursor !== undefined)
  await client.close()
  return names
}

it.skipIf(CANNOT_RUN || process.platform === 'win32')(
  'no tool is lost, and each kind of answer is read',
  async ({ skip }) => {
    const folder = await mkdtemp(join(tmpdir(), 'ftl-real-'))
    let stop = async () => {}
    try {
      const specs = Object.values(PACKAGES).map(({ npm }) => npm)
      const options = ['--prefix', folder, '--ignore-scripts', '--no-audit', '--no-fund']
      const failed = await run('npm', ['install', ...options, ...specs], { cwd: folder }).then(
        () => undefined,
        (error: Error) => error.message.slice(0, 300),
      )
      if (failed !== undefined) skip(`the packages cannot be installed here: ${failed}`)
      const mcpServers = Object.fromEntries(
        Object.entries(PACKAGES).map(([name, { bin, env = {} }]) => [
          name,
          { command: join(folder, 'node_modules/.bin', bin), env },
        ]),
      )
      await writeFile(join(folder, 'mcp.json'), JSON.stringify({ mcpServers }))
      const out = join(folder, 'remote-servers.json')
      const line = ['bridge-stdio', '--config', join(folder, 'mcp.json')]
      const bridge = ftl([...line, '--listen', '127.0.0.1:0', '--out', out], { cwd: folder })
      stop = async () => {
        bridge.signal('SIGINT')
        await bridge.exited
      }
      await bridge.printed(/^Serving .*, and wrote/m, 240_000)
      const servers = JSON.parse(await readFile(out, 'utf8')) as Record<string, { url: string }>
      expect(Object.keys(servers).sort()).toEqual(Object.keys(PACKAGES).sort())

      const application = await startRemote(servers, { discovery_timeout_ms: '60000' })
      try {
        const listed = await toolsOf(`${application.url}/mcp`)
        for (const [name, { url }] of Object.entries(servers)) {
          const lost = (await toolsOf(url)).filter(
            (tool) => !listed.includes(tool) && !listed.includes(`${name}__${tool}`),
          )
          expect([name, lost]).toEqual([name, []])
        }
        expect(await application.problems()).toEqual([])
        const client = await connect(`${application.url}/mcp`)
        const { prompts } = await client.listPrompts()
        expect(prompts.map(({ name }) => name)).toEqual(
          expect.arrayContaining(['args-prompt', 'k8s-diagnose']),
        )
        const { messages } = await client.getPrompt({
          name: 'args-prompt',
          arguments: { city: 'Rome' },
        })
        expect(JSON.stringify(messages)).toContain('Rome')
        const link = await client.callTool({
          name: 'gzip-file-as-resource',
          arguments: { name: 'a.gz', data: 'data:text/plain,a', outputType: 'resourceLink' },
        })
        const [{ uri = '' } = {}] = link.content as { uri?: string }[]
        // Not listed, so only the address with the server's name leads to it.
        expect(uri).toMatch(/^remote:\/\/everything\//)
        const { contents } = await client.readResource({ uri })
        expect(contents).toMatchObject([{ uri, mimeType: 'application/gzip' }])
        const { completion } = await client.complete({
          ref: { type: 'ref/prompt', name: 'completable-prompt' },
          argument: { name: 'department', value: 'E' },
        })
        expect(completion.values).toContain('Engineering')
        const graph = await client.callTool({ name: 'read_graph', arguments: {} })
        expect(graph.structuredContent).toEqual({ entities: [], relations: [] })
        await client.close()
      } finally {
        await application.close()
      }
    } finally {
      await stop()
      await rm(folder, { recursive: true, force: true })
    }
  },
  900_000,
)
