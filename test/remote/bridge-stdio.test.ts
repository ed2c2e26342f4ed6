// `ftl bridge-stdio`: official stdio servers over HTTP, alone and as a remote server of the gateway.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'ftl-client'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { misbehaving, official, textOf } from '../client/servers.ts'
import { ftl, type RunningCommand } from '../support/command.ts'
import { descendants, processes } from '../support/processes.ts'
import { CANNOT_RUN, type RemoteApplication, startRemote } from './application.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ftl-bridge-'))
  await writeFile(join(folder, 'note.txt'), 'Buy paper')
})
afterAll(() => rm(folder, { recursive: true, force: true }))

interface Bridge {
  url: string
  command: RunningCommand
  /** Ends it as Ctrl-C does. */
  stop(): Promise<number | null>
}

const running: Bridge[] = []
afterEach(async () => {
  for (const bridge of running.splice(0)) await bridge.stop()
})

async function start(
  { command, args = [] }: { command: string; args?: readonly string[] },
  env: Record<string, string> = {},
): Promise<Bridge> {
  const line = ['bridge-stdio', '--listen', '127.0.0.1:0', '--', command, ...args]
  const started = ftl(line, { env })
  const printed = /^Serving .* on (http:\S+)$/m
  await started.printed(printed)
  const [, url = ''] = printed.exec(started.output()) ?? []
  const bridge = {
    url,
    command: started,
    stop: () => {
      started.signal('SIGINT')
      return started.exited
    },
  }
  running.push(bridge)
  return bridge
}

describe.each(['legacy', '2026-07-28'] as const)('a client of %s', (protocol) => {
  async function connect({ url }: Bridge): Promise<Client> {
    const client = await Client.connect({ url, protocol })
    await client.initialize()
    return client
  }

  it('reads a file of server-filesystem', async () => {
    const bridge = await start(official('filesystem', folder))
    await using client = await connect(bridge)
    expect(client.server?.name).toBe('secure-filesystem-server')
    expect((await client.listTools()).map(({ name }) => name)).toContain('read_text_file')
    const path = join(folder, 'note.txt')
    expect(textOf(await client.callTool('read_text_file', { path }))).toBe('Buy paper')
    const outside = await client.callTool('read_text_file', { path: '/etc/passwd' })
    expect(outside.isError).toBe(true)
  })

  it('shares the memory of server-memory with the others', async () => {
    const MEMORY_FILE_PATH = join(folder, `${protocol}.jsonl`)
    const bridge = await start(official('memory'), { MEMORY_FILE_PATH })
    await using first = await connect(bridge)
    const entities = [{ name: 'Ada', entityType: 'person', observations: ['writes programs'] }]
    await first.callTool('create_entities', { entities })
    await using second = await connect(bridge)
    const { structuredContent } = await second.callTool('read_graph')
    expect(structuredContent).toMatchObject({ entities })
  })

  it('receives the progress of a call, and reads prompts and resources', async () => {
    const bridge = await start(official('everything'))
    await using client = await connect(bridge)
    const told: unknown[] = []
    const args = { duration: 1, steps: 4 }
    await client.callTool('trigger-long-running-operation', args, {
      onProgress: (each) => told.push(each),
    })
    expect(told.length).toBeGreaterThanOrEqual(3)
    const { prompts } = (await client.request('prompts/list')) as { prompts: { name: string }[] }
    expect(prompts.map(({ name }) => name)).toContain('simple-prompt')
    const { resources } = (await client.request('resources/list')) as {
      resources: { uri: string }[]
    }
    const [{ uri } = { uri: '' }] = resources
    const { contents } = await client.request('resources/read', { uri })
    expect(contents).toMatchObject([{ uri }])
  })

  it('gets the server’s own error', async () => {
    const bridge = await start(misbehaving('answers with an error'))
    await using client = await connect(bridge)
    const error = { kind: 'rpc', code: -32099, message: 'out of paper' }
    await expect(client.callTool('say')).rejects.toMatchObject(error)
  })
})

describe('the port', () => {
  it('is closed to pages of other sites', async () => {
    const { url } = await start(misbehaving())
    const post = async (headers: Record<string, string>, to = url) => {
      const response = await fetch(to, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
      })
      await response.body?.cancel()
      return response.status
    }
    const accept = 'application/json, text/event-stream'
    expect(await post({ accept })).toBe(200)
    expect(await post({ accept, origin: 'http://localhost:5173' })).toBe(200)
    expect(await post({ accept, origin: 'https://evil.example' })).toBe(403)
    expect(await post({ accept, origin: 'null' })).toBe(403)
    expect(await hostStatus(url, 'evil.example')).toBe(403)
    expect(await hostStatus(url, 'localhost')).not.toBe(403)
    expect(await post({ accept }, url.replace('/mcp', '/other'))).toBe(404)
    expect((await fetch(url)).status).toBe(405)
  })

  it('that is taken is named', async () => {
    const { url } = await start(misbehaving())
    const listen = new URL(url).host
    const { command, args = [] } = misbehaving()
    const second = ftl(['bridge-stdio', '--listen', listen, '--', command, ...args])
    expect(await second.exited).toBe(1)
    expect(second.output()).toContain(`${listen} is taken`)
  })
})

describe('a process', () => {
  it('that dies is started again, a little later each time', async () => {
    const bridge = await start(official('filesystem', folder))
    await using client = await Client.connect({ url: bridge.url })
    await client.initialize()
    const list = () => client.request('tools/list', {}, { timeoutMs: 15_000 })
    for (const seconds of ['0.5', '1', '2']) {
      const [server] = await descendants(bridge.command.pid)
      process.kill(server?.pid ?? 0, 'SIGKILL')
      await bridge.command.printed(`Starting it again in ${seconds} s`)
      // Sent while no server runs: the new one answers.
      expect(await list()).toHaveProperty('tools')
    }
    expect(bridge.command.output()).toContain('was ended by SIGKILL')
  })

  it('that dies in the middle of a call ends the call with an error', async () => {
    const bridge = await start(misbehaving('never answers a call'))
    await using client = await Client.connect({ url: bridge.url })
    await client.initialize()
    const call = client.callTool('say')
    const [server] = await descendants(bridge.command.pid)
    setTimeout(() => process.kill(server?.pid ?? 0, 'SIGKILL'), 300)
    const message = expect.stringMatching(/was ended by SIGKILL$/) as string
    await expect(call).rejects.toMatchObject({ kind: 'rpc', code: -32603, message })
  })

  it('ends with the bridge, and all it started', async () => {
    const bridge = await start(misbehaving('leaves a process behind'))
    const started = await descendants(bridge.command.pid)
    expect(started.length).toBeGreaterThanOrEqual(2)
    expect(await bridge.stop()).toBe(0)
    const left = (await processes()).map(({ pid }) => pid)
    for (const { pid } of started) expect(left).not.toContain(pid)
  })

  it.each([
    { name: 'is not there', server: { command: 'no-such-command' }, says: 'is not found' },
    { name: 'ends at once', server: misbehaving('ends at once'), says: 'There is no licence' },
  ])('that $name is exit code 4', async ({ server: { command, args = [] }, says }) => {
    const bridge = ftl(['bridge-stdio', '--listen', '127.0.0.1:0', '--', command, ...args])
    expect(await bridge.exited).toBe(4)
    expect(bridge.output()).toContain(says)
  })
})

describe.skipIf(CANNOT_RUN)('a gateway', () => {
  let application: RemoteApplication
  afterAll(() => application?.close())

  it('has the tools of a stdio server', async () => {
    const bridge = await start(official('filesystem', folder))
    const denied = ['write_file', 'edit_file', 'move_file', 'create_directory']
    application = await startRemote({ files: { url: bridge.url, denied, prefix: 'files_' } })
    const names = await application.names()
    expect(names).toContain('files_read_text_file')
    expect(names).not.toContain('files_write_file')
    const path = join(folder, 'note.txt')
    const read = await application.call('files_read_text_file', { path })
    expect(read.result).toEqual({
      content: [{ type: 'text', text: 'Buy paper' }],
      structuredContent: { content: 'Buy paper' },
    })
    const refused = await application.call('files_read_text_file', { path: '/etc/passwd' })
    expect(refused.result).toMatchObject({ isError: true })
    // It dies and comes back: the next call waits for it.
    const [server] = await descendants(bridge.command.pid)
    process.kill(server?.pid ?? 0, 'SIGKILL')
    await bridge.command.printed('Starting it again')
    const again = await application.call('files_read_text_file', { path })
    expect(textOf(again.result as { content: object[] })).toBe('Buy paper')
  })
})

/** Status of a request that calls the server by another name; `fetch` sets the header itself. */
async function hostStatus(url: string, host: string): Promise<number> {
  const { request } = await import('node:http')
  return new Promise((resolve, reject) => {
    const asked = request(url, { method: 'POST', headers: { host } }, (response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
    asked.once('error', reject)
    asked.end('{}')
  })
}
