// Many people's servers behind one gateway at once, as a user gets them: from npm and PyPI, by `ftl bridge-stdio --config`. The
// official clients list all of it and read each kind of answer. What cannot be had is skipped with a reason.
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort, ftl, type RunningCommand } from '../support/command.ts'
import { CANNOT_RUN, type RemoteApplication, startRemote } from './application.ts'
import {
  type ListedTool,
  type Outcome,
  pythonReader,
  type Reader,
  readV1,
  readV2,
  type Step,
  toolsOfProcess,
} from './real/official-clients.ts'
import { installAll, type Program, SOUND } from './real/packages.ts'
import { differencesOf, publishedNames } from './real/published.ts'
import { refused } from './real/refused.ts'

/** The fewest servers that this test is worth its name for. */
const SERVERS = 18

interface World {
  /** What each server lists, asked without the gateway, in the order of the configuration. */
  own: Map<string, ListedTool[]>
  application: RemoteApplication
  folder: string
  close(): Promise<void>
}

/** @returns why it cannot be had here. */
async function startWorld(): Promise<World | string> {
  const folder = await mkdtemp(join(tmpdir(), 'ftl-real-'))
  const closing: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true })]
  const close = async () => {
    for (const end of closing.reverse()) await end()
  }
  try {
    const programs = await installAll(folder)
    if (typeof programs === 'string') {
      await close()
      return programs
    }
    const mcpServers: Record<string, object> = {}
    const own = new Map<string, ListedTool[]>()
    for (const [name, program] of Object.entries(programs)) {
      if (program.http) {
        const { url, stop } = await startHttp(program)
        closing.push(stop)
        mcpServers[name] = { url }
        own.set(name, (await readV1(url, [])).tools)
      } else {
        const { command, args, env } = program
        mcpServers[name] = { command, args, env }
        own.set(name, await toolsOfProcess(program))
      }
    }
    await writeFile(join(folder, 'mcp.json'), JSON.stringify({ mcpServers }))
    const bridge = startBridge(folder)
    closing.push(async () => {
      bridge.signal('SIGINT')
      await bridge.exited
    })
    await bridge.printed(/^Serving .*, and wrote/m, 300_000)
    const text = await readFile(join(folder, 'remote-servers.json'), 'utf8')
    const servers = JSON.parse(text) as Record<string, object>
    expect(Object.keys(servers)).toEqual(Object.keys(programs))
    const application = await startRemote(servers, {
      discovery_timeout_ms: '60000',
      call_timeout_ms: '60000',
      catalog_ttl_ms: '600000',
    })
    closing.push(() => application.close())
    return { own, application, folder, close }
  } catch (error) {
    await close()
    throw error
  }
}

function startBridge(folder: string): RunningCommand {
  const out = join(folder, 'remote-servers.json')
  const line = ['bridge-stdio', '--config', join(folder, 'mcp.json'), '--out', out]
  return ftl([...line, '--listen', '127.0.0.1:0'], { cwd: folder })
}

async function startHttp({ command, args, env }: Program) {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}/mcp`
  const child: ChildProcess = spawn(command, args, {
    env: { ...process.env, ...env, PORT: String(port) },
    stdio: 'ignore',
  })
  const exited = new Promise((resolve) => child.once('exit', resolve))
  for (let tries = 0; !(await fetch(url).then(Boolean, () => false)); tries++) {
    if (tries === 600 || child.exitCode !== null) throw new Error(`${command} did not start`)
    await sleep(100)
  }
  return {
    url,
    stop: () => {
      child.kill()
      return exited
    },
  }
}

/** What a client does, and what it has to have got then. */
const KINDS: Record<string, (folder: string) => [Step, (outcome: Outcome) => void]> = {
  'a text': () => [
    { call: 'echo', arguments: { message: 'Ada' } },
    ({ result }) => expect(contentOf(result)).toEqual([{ type: 'text', text: 'Echo: Ada' }]),
  ],
  'an image': () => [
    { call: 'get-tiny-image' },
    ({ result }) => {
      const image = contentOf(result).find(({ type }) => type === 'image')
      expect(image?.['mimeType']).toBe('image/png')
      expect(Buffer.from(String(image?.['data']), 'base64').subarray(1, 4).toString()).toBe('PNG')
    },
  ],
  'a sound': (folder) => [
    { call: 'read_media_file', arguments: { path: join(folder, 'files/a.wav') } },
    ({ result }) =>
      // Clients for Python get a text beside it, because many frameworks read nothing else.
      expect(contentOf(result)).toContainEqual({
        type: 'audio',
        mimeType: 'audio/wav',
        data: SOUND.toString('base64'),
      }),
  ],
  'a link to a resource': () => [
    { call: 'get-resource-links', arguments: { count: 2 } },
    ({ result }) =>
      expect(contentOf(result).filter(({ type }) => type === 'resource_link')).toHaveLength(2),
  ],
  'an embedded resource': () => [
    { call: 'get-resource-reference', arguments: { resourceType: 'Text', resourceId: 1 } },
    ({ result }) => {
      const found = contentOf(result).find(({ type }) => type === 'resource')
      expect(found?.['resource']).toMatchObject({ text: expect.stringContaining('1') as string })
    },
  ],
  'structured content': () => [
    { call: 'read_graph' },
    ({ result }) => expect(result?.['structuredContent']).toEqual({ entities: [], relations: [] }),
  ],
  'an error': (folder) => [
    { call: 'read_text_file', arguments: { path: join(folder, 'files/missing.txt') } },
    ({ result }) => {
      expect(result?.['isError']).toBe(true)
      expect(JSON.stringify(contentOf(result))).toContain('missing.txt')
    },
  ],
  progress: () => [
    {
      call: 'trigger-long-running-operation',
      arguments: { duration: 1, steps: 4 },
      progress: true,
    },
    ({ result, progress }) => {
      expect(JSON.stringify(contentOf(result))).toContain('completed')
      expect(progress.length).toBeGreaterThanOrEqual(3)
    },
  ],
  'a prompt': () => [
    { prompt: 'args-prompt', arguments: { city: 'Rome' } },
    ({ result }) => expect(JSON.stringify(result?.['messages'])).toContain('Rome'),
  ],
  'a completion': () => [
    { complete: 'completable-prompt', argument: { name: 'department', value: 'E' } },
    ({ result }) =>
      expect(result?.['completion']).toMatchObject({
        values: expect.arrayContaining(['Engineering']) as unknown,
      }),
  ],
  'a resource': () => [
    { read: 'demo://resource/dynamic/text/1' },
    ({ result }) => expect(JSON.stringify(result?.['contents'])).toContain('Resource 1'),
  ],
}

function contentOf(result: Outcome['result']): Record<string, unknown>[] {
  return (result?.['content'] ?? []) as Record<string, unknown>[]
}

const CANNOT = CANNOT_RUN || process.platform === 'win32'

describe.skipIf(CANNOT)('eighteen servers and more behind one gateway', () => {
  let world: World | string
  beforeAll(async () => {
    world = await startWorld()
  }, 1_800_000)
  afterAll(async () => {
    if (typeof world === 'object') await world.close()
  })

  const readers: Record<string, () => Promise<Reader | string>> = {
    'the client of SDK 1': () => Promise.resolve(readV1),
    'the client of SDK 2': () => Promise.resolve(readV2),
    'the client for Python': pythonReader,
  }

  it.for(Object.entries(readers))(
    '%s gets every tool with its schemas, and reads each kind of answer',
    { timeout: 600_000 },
    async ([, readerOf], { skip }) => {
      if (typeof world === 'string') return skip(world)
      const { own, application, folder } = world
      expect(own.size).toBeGreaterThanOrEqual(SERVERS)
      const reader = await readerOf()
      if (typeof reader === 'string') return skip(reader)
      const kinds = Object.entries(KINDS).map(([kind, of]) => [kind, ...of(folder)] as const)
      const url = `${application.url}/mcp`
      const { tools, outcomes } = await reader(
        url,
        kinds.map(([, step]) => step),
      )
      const published = publishedNames(own)
      expect(tools.map(({ name }) => name).sort()).toEqual([...published.keys()].sort())
      expect(differencesOf(published, tools)).toEqual([])
      expect(refused(tools)).toEqual([])
      for (const [index, [kind, , isRead]] of kinds.entries()) {
        const outcome = outcomes[index]
        expect([kind, outcome?.error]).toEqual([kind, undefined])
        isRead(outcome ?? { progress: [] })
      }
    },
  )

  it('the list of a server itself would be refused by providers of models', ({ skip }) => {
    if (typeof world === 'string') return skip(world)
    // Otherwise that none is refused here shows nothing.
    const found = refused([...world.own.values()].flat())
    expect(found).toContainEqual(expect.stringMatching(/^hubspot-.*: no items$/))
    expect(found).toContain('21st_magic_component_builder: the name of the tool')
  })

  it('no server has a problem', async ({ skip }) => {
    if (typeof world === 'string') return skip(world)
    expect(await world.application.problems()).toEqual([])
  })
})
