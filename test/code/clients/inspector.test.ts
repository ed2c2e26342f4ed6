// The command line of the official Inspector with programs and short lists.
import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { AS_ADA, type ClientsWorld, startClientsWorld, THREE_CALLS } from './world.ts'
import { judgeFile } from '../../judges/judge.ts'

const INSPECTOR = judgeFile('.bin/mcp-inspector')
/** Exit code of the Inspector for a tool that failed. */
const TOOL_ERROR = 5

let world: ClientsWorld
let home: string
beforeAll(async () => {
  world = await startClientsWorld()
  home = await mkdtemp(join(tmpdir(), 'ftl-inspector-'))
})
beforeEach(() => {
  world.effects.done.length = 0
})
afterAll(async () => {
  await world?.close()
  await rm(home, { recursive: true, force: true })
})

interface Inspection {
  code: number | null
  result?: {
    tools?: { name: string }[]
    content?: { text: string }[]
    isError?: boolean
  }
  errors: string
}

async function inspect(era: string, query: string, ...args: string[]): Promise<Inspection> {
  const config = join(home, `${era}.json`)
  const url = `${world.url}/mcp${query}`
  const server = { type: 'streamable-http', url, protocolEra: era, headers: AS_ADA }
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
  return { code, ...(result && { result }), errors }
}

const callOf = (tool: string, ...args: string[]) => [
  ...['--method', 'tools/call', '--tool-name', tool],
  ...args.flatMap((arg) => ['--tool-arg', arg]),
]
const textOf = ({ result }: Inspection) => result?.content?.[0]?.text

describe.each(['legacy', 'modern'])('the Inspector, era %s, with programs', (era) => {
  it('lists three tools', async () => {
    const { result, errors } = await inspect(era, '?tools=code', '--method', 'tools/list')
    const names = result?.tools?.map(({ name }) => name)
    expect(names, errors).toEqual(['search_tools', 'describe_tools', 'run_code'])
  })

  it('runs a program with several calls', async () => {
    const inspection = await inspect(
      era,
      '?tools=code',
      ...callOf('run_code', `code=${THREE_CALLS}`),
    )
    expect(textOf(inspection), inspection.errors).toBe('did append a, did append b, did append c')
    expect(inspection.code).toBe(0)
    expect(world.effects.done).toEqual(['append a', 'append b', 'append c'])
  })

  it('shows where a program has failed', async () => {
    const inspection = await inspect(era, '?tools=code', ...callOf('run_code', 'code=null.x'))
    expect(inspection.code).toBe(TOOL_ERROR)
    expect(textOf(inspection)).toMatch(/^TypeError: .*\n {4}at line 1/)
  })

  it('searches', async () => {
    const found = await inspect(era, '?tools=code', ...callOf('search_tools', 'query=append'))
    expect(textOf(found)).toContain('append')
  })
})

it('the Inspector calls a tool that it has found through use_tool', async () => {
  const called = await inspect(
    'modern',
    '?tools=search',
    ...callOf('use_tool', 'name=append', 'arguments={"path":"x"}'),
  )
  expect(textOf(called), called.errors).toBe('did append x')
})
