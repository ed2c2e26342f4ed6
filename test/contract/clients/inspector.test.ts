// The command line of the official Inspector, in both eras of the protocol.
import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startWireLog } from '../../support/wire-log.ts'
import { useFixtures } from './application.ts'
import { judgeFile } from '../../judges/judge.ts'

const fixtures = useFixtures()

const INSPECTOR = judgeFile('.bin/mcp-inspector')

/** Exit code of the Inspector for a tool that failed or is not there. */
const TOOL_ERROR = 5

let home: string
beforeAll(async () => (home = await mkdtemp(join(tmpdir(), 'ftl-inspector-'))))
afterAll(() => rm(home, { recursive: true, force: true }))

interface Inspection {
  /** `null` when a signal ended it. */
  code: number | null
  /** What it printed, when that was a result. */
  result: Record<string, unknown> | undefined
  errors: string
}

async function inspect(protocolEra: string, ...args: string[]): Promise<Inspection> {
  return inspectAt(fixtures.url, protocolEra, ...args)
}

async function inspectAt(url: string, protocolEra: string, ...args: string[]): Promise<Inspection> {
  const config = join(home, `${protocolEra}.json`)
  const server = { type: 'streamable-http', url: `${url}/mcp`, protocolEra }
  await writeFile(config, JSON.stringify({ mcpServers: { gateway: server } }))
  const command = ['--cli', '--config', config, '--server', 'gateway', '--format', 'json']
  const inspector = spawn(process.execPath, [INSPECTOR, ...command, ...args], {
    env: { ...process.env, HOME: home, MCP_INSPECTOR_SECRET_STORE: 'memory' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [output, errors, code] = await Promise.all([
    text(inspector.stdout),
    text(inspector.stderr),
    new Promise<number | null>((resolve) => inspector.on('close', resolve)),
  ])
  const { result } = JSON.parse(output || '{}') as Pick<Inspection, 'result'>
  return { code, result, errors }
}

const callOf = (tool: string, ...args: string[]) => [
  '--method',
  'tools/call',
  '--tool-name',
  tool,
  ...args,
]

it.each([
  { era: 'legacy', revision: '2025-11-25' },
  { era: 'auto', revision: '2026-07-28' },
  { era: 'modern', revision: '2026-07-28' },
])('the Inspector, era $era, connects at $revision', async ({ era, revision }) => {
  const { result, errors } = await inspect(era, '--method', 'initialize')
  expect(result, errors).toMatchObject({
    protocolVersion: revision,
    serverInfo: { name: 'ftl-conformance' },
  })
})

describe.each(['legacy', 'modern'])('the Inspector, era %s', (era) => {
  it('lists the tools', async () => {
    const { code, result, errors } = await inspect(era, '--method', 'tools/list')
    const { tools } = result as { tools: { name: string }[] }
    expect(tools.map(({ name }) => name)).toContain('test_simple_text')
    expect(code, errors).toBe(0)
  })

  it('calls a tool', async () => {
    const { result } = await inspect(
      era,
      ...callOf('test_custom_header', '--tool-arg', 'region=Grüße'),
    )
    expect(result?.['content']).toEqual([{ type: 'text', text: '{"region":"Grüße"}' }])
  })

  it('calls a tool that tells its progress', async () => {
    const { result } = await inspect(era, ...callOf('test_tool_with_progress'))
    expect(result?.['content']).toEqual([{ type: 'text', text: 'The tool with progress has run.' }])
  })

  // It prints only the result; the progress it received before is visible on the wire.
  it('receives the progress it asks for', async () => {
    const wire = await startWireLog(fixtures.url)
    try {
      const token = `of-${era}`
      const { result } = await inspectAt(
        wire.url,
        era,
        ...callOf('test_tool_with_progress', '--tool-metadata', `progressToken=${token}`),
      )
      expect(result).toHaveProperty('content')
      const call = wire.exchanges.find(({ request }) => request.includes('"tools/call"'))
      const told = [...(call?.response ?? '').matchAll(/^data: (.*notifications\/progress.*)$/gm)]
      const progress = told.map(
        ([, data = '']) =>
          (JSON.parse(data) as { params: { progressToken: unknown; progress: number } }).params,
      )
      expect(progress.map(({ progress }) => progress)).toEqual([0, 50, 100])
      expect(progress.every(({ progressToken }) => progressToken === token)).toBe(true)
    } finally {
      await wire.close()
    }
  })

  it('lists prompts and gets one', async () => {
    const listed = await inspect(era, '--method', 'prompts/list')
    const { prompts } = listed.result as { prompts: { name: string }[] }
    expect(prompts.map(({ name }) => name)).toContain('test_prompt_with_arguments')
    const { result } = await inspect(
      era,
      ...['--method', 'prompts/get', '--prompt-name', 'test_prompt_with_arguments'],
      ...['--prompt-args', 'arg1=one', 'arg2=two'],
    )
    expect(result).toMatchObject({
      messages: [{ content: { text: "Prompt with arguments: arg1='one', arg2='two'" } }],
    })
  })

  it('lists resources and templates and reads one of each', async () => {
    const { result: resources } = await inspect(era, '--method', 'resources/list')
    expect(JSON.stringify(resources)).toContain('test://static-text')
    const { result: templates } = await inspect(era, '--method', 'resources/templates/list')
    expect(JSON.stringify(templates)).toContain('test://template/{id}/data')
    for (const uri of ['test://static-text', 'test://template/7/data']) {
      const { result } = await inspect(era, '--method', 'resources/read', '--uri', uri)
      expect(result).toMatchObject({ contents: [{ uri }] })
    }
  })

  it('gets an error when there is no such tool', async () => {
    const { code, errors } = await inspect(era, ...callOf('nothing'))
    expect(code).toBe(TOOL_ERROR)
    expect(errors).toContain('nothing')
  })

  it('gets bad arguments back as a result', async () => {
    const { code, result } = await inspect(
      era,
      ...callOf('test_simple_text', '--tool-arg', 'surplus=1'),
    )
    expect(code).toBe(TOOL_ERROR)
    expect(result).toMatchObject({ isError: true })
    expect(JSON.stringify(result)).toContain('surplus')
  })
})
