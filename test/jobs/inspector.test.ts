// The command line of the official Inspector follows a task to its picture by itself.
import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { expectOnePicture, readByAll } from './endings.ts'
import { startWorld, type World } from './world.ts'
import { judgeFile } from '../judges/judge.ts'

const INSPECTOR = judgeFile('.bin/mcp-inspector')

let world: World
let home: string
beforeAll(async () => {
  // A client that waits for the call instead of the task gets a handle.
  world = await startWorld({ variables: { wait_limit_ms: '300' } })
  home = await mkdtemp(join(tmpdir(), 'ftl-inspector-'))
})
afterAll(async () => {
  await world?.close()
  await rm(home, { recursive: true, force: true })
})

it('the Inspector, era modern, asks for the task until it is done', async () => {
  const config = join(home, 'servers.json')
  const server = { type: 'streamable-http', url: `${world.url}/mcp`, protocolEra: 'modern' }
  await writeFile(config, JSON.stringify({ mcpServers: { gateway: server } }))
  const args = [
    ...['--cli', '--config', config, '--server', 'gateway', '--format', 'json'],
    ...[
      '--method',
      'tools/call',
      '--tool-name',
      'generate_image',
      '--tool-arg',
      'prompt=a lighthouse',
    ],
  ]
  const inspector = spawn(process.execPath, [INSPECTOR, ...args], {
    env: { ...process.env, HOME: home, MCP_INSPECTOR_SECRET_STORE: 'memory' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [output, errors, code] = await Promise.all([
    text(inspector.stdout),
    text(inspector.stderr),
    new Promise<number | null>((resolve) => inspector.on('close', resolve)),
  ])
  expect(code, errors).toBe(0)
  const { result } = JSON.parse(output) as { result: Record<string, unknown> }
  const [id = ''] = world.comfyui.taken
  expect(world.comfyui.taken).toHaveLength(1)
  await expectOnePicture([
    ['the Inspector', { completed: result['isError'] !== true, answer: result }],
    ...(await readByAll(world, id)),
  ])
})
