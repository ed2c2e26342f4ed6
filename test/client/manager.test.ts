// Several servers at once: real ones of npm, and ones that fail beside them.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { DeniedToolError, Manager, ProcessError, StateError, UnknownServerError } from 'ftl-client'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { descendants } from '../support/processes.ts'
import { misbehaving, official, textOf } from './servers.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ftl-client-'))
  await writeFile(join(folder, 'note.txt'), 'Buy paper')
})
afterAll(() => rm(folder, { recursive: true, force: true }))

let manager: Manager
let before: number
beforeEach(async () => {
  before = (await descendants(process.pid)).length
  manager = new Manager({ politeMs: 500, firmMs: 500 })
})
afterEach(async () => {
  await manager.close()
  expect((await descendants(process.pid)).length).toBe(before)
})

const toolsOf = async (server: string) =>
  (await manager.allTools()).filter((each) => each.server === server).map(({ tool }) => tool.name)

describe('with the official servers', () => {
  beforeEach(async () => {
    await manager.connectAll({
      files: official('filesystem', folder),
      memory: {
        ...official('memory'),
        env: { MEMORY_FILE_PATH: join(folder, 'memory.jsonl') },
      },
      everything: official('everything'),
    })
  })

  it('every tool is listed with its server, in the order of connecting', async () => {
    const order = [...new Set((await manager.allTools()).map(({ server }) => server))]
    expect(order).toEqual(['files', 'memory', 'everything'])
    expect(await toolsOf('memory')).toContain('create_entities')
  })

  it('a tool is found and called at its server', async () => {
    const found = await manager.findTool('read_text_file')
    expect(found?.server).toBe('files')
    const result = await manager.callTool('files', 'read_text_file', {
      path: join(folder, 'note.txt'),
    })
    expect(textOf(result)).toBe('Buy paper')
    expect(await manager.findTool('no_such_tool')).toBeUndefined()
  })

  it('what the memory server stores is there for the next call', async () => {
    const entities = [{ name: 'Ada', entityType: 'person', observations: ['writes programs'] }]
    await manager.callTool('memory', 'create_entities', { entities })
    const graph = await manager.callTool('memory', 'read_graph')
    expect(JSON.stringify(graph.structuredContent)).toContain('writes programs')
  })

  it('a tool that fails is a result', async () => {
    const result = await manager.callTool('files', 'read_text_file', { path: '/etc/passwd' })
    expect(result.isError).toBe(true)
    expect(textOf(result)).toMatch(/Access denied/)
  })

  it('a denied tool is not listed, not found and not called; others of its name elsewhere are', async () => {
    manager.setDeniedTools('files', ['write_file'])
    expect(await toolsOf('files')).not.toContain('write_file')
    expect(await manager.findTool('write_file')).toBeUndefined()
    const path = join(folder, 'denied.txt')
    const call = manager.callTool('files', 'write_file', { path, content: 'x' })
    await expect(call).rejects.toThrow(DeniedToolError)
    // Nor through the tool by which a gateway calls any other.
    const through = manager.callTool('files', 'use_tool', { name: 'write_file', arguments: {} })
    await expect(through).rejects.toThrow(DeniedToolError)
    const older = manager.callTool('files', 'call_tool', { name: 'write_file', arguments: {} })
    await expect(older).rejects.toThrow(DeniedToolError)
    manager.setDeniedTools('files', [])
    expect(await toolsOf('files')).toContain('write_file')
  })

  it('progress is reported, and a call that is cancelled ends', async () => {
    const told: unknown[] = []
    const operation = 'trigger-long-running-operation'
    const args = { duration: 1, steps: 3 }
    await manager.callTool('everything', operation, args, { onProgress: (each) => told.push(each) })
    expect(told).toEqual([1, 2, 3].map((progress) => ({ progress, total: 3 })))
    const stop = new AbortController()
    const signal = stop.signal
    const call = manager.callTool('everything', operation, { duration: 20, steps: 2 }, { signal })
    stop.abort(new Error('no longer wanted'))
    await expect(call).rejects.toMatchObject({
      kind: 'cancelled',
      cause: { message: 'no longer wanted' },
    })
  })
})

it('one that fails and one that hangs do not keep others from working', async () => {
  const good = manager.connect('good', misbehaving())
  const bad = manager.connect('bad', misbehaving('ends at once'))
  const mute = manager.connect('mute', misbehaving('never answers anything'), { timeoutMs: 60_000 })
  const muted = expect(mute).rejects.toThrow('server "mute" was disconnected')
  await expect(bad).rejects.toThrow(ProcessError)
  await good
  expect(manager.servers()).toEqual([
    { name: 'good', state: 'ready' },
    { name: 'mute', state: 'connecting' },
  ])
  expect(textOf(await manager.callTool('good', 'say', { text: 'hello' }))).toBe('hello')
  expect(await toolsOf('good')).toEqual(['say'])
  await manager.disconnect('mute')
  await muted
})

it('one that hangs fails after its time', async () => {
  const mute = manager.connect('mute', misbehaving('never answers anything'), { timeoutMs: 500 })
  await expect(mute).rejects.toMatchObject({ kind: 'timeout' })
})

it('a server that is connected again under the same name has no denied tools of the one before', async () => {
  await manager.connect('one', { ...misbehaving(), deniedTools: ['say'] })
  expect(await toolsOf('one')).toEqual([])
  await manager.disconnect('one')
  await manager.connect('one', misbehaving())
  expect(await toolsOf('one')).toEqual(['say'])
})

it('tools denied before a failed connection stay denied', async () => {
  manager.setDeniedTools('one', ['say'])
  const bad = manager.connect('one', { ...misbehaving('ends at once'), deniedTools: ['other'] })
  await expect(bad).rejects.toThrow(ProcessError)
  await manager.connect('one', misbehaving())
  expect(await toolsOf('one')).toEqual([])
})

it('one that dies is reported and lists nothing; the others do', async () => {
  await manager.connectAll({ good: misbehaving(), dying: misbehaving('ends during a call') })
  await expect(manager.callTool('dying', 'say')).rejects.toThrow(ProcessError)
  expect((await manager.allTools()).map(({ server }) => server)).toEqual(['good'])
  expect(manager.servers()).toMatchObject([
    { name: 'good', state: 'ready' },
    { name: 'dying', state: 'failed', error: { kind: 'process', exitCode: 4 } },
  ])
  await manager.disconnect('dying')
  await manager.connect('dying', misbehaving())
  expect(textOf(await manager.callTool('dying', 'say', { text: 'again' }))).toBe('again')
})

it('a name is taken once, also by two at the same moment', async () => {
  const [first, second] = await Promise.allSettled([
    manager.connect('one', misbehaving()),
    manager.connect('one', misbehaving()),
  ])
  expect(first.status).toBe('fulfilled')
  expect(second).toMatchObject({ status: 'rejected', reason: { kind: 'state' } })
})

it('a server can be disconnected while it is being connected', async () => {
  const connecting = manager.connect('mute', misbehaving('never answers anything'))
  const failed = expect(connecting).rejects.toThrow(/disconnected|cancelled/)
  await sleep(100)
  await manager.disconnect('mute')
  await failed
  expect(manager.servers()).toEqual([])
})

it('a server that is not there is named, with those that are', async () => {
  await manager.connect('good', misbehaving())
  const call = manager.callTool('bad', 'say')
  await expect(call).rejects.toThrow(UnknownServerError)
  await expect(call).rejects.toThrow('server "bad" is not connected; connected: good')
})

it('nothing is connected to a manager that is closed', async () => {
  await manager.close()
  await expect(manager.connect('late', misbehaving())).rejects.toThrow(StateError)
})

it('a thousand calls over ten servers at once get their own answers', async () => {
  const names = Array.from({ length: 10 }, (_, index) => `server-${index}`)
  await manager.connectAll(
    Object.fromEntries(names.map((name) => [name, misbehaving('answers late')])),
  )
  const calls = Array.from({ length: 1000 }, async (_, index) => {
    // The delay is the answer, so that answers overtake each other.
    const text = `${(index * 7919) % 50}.${index}`
    const result = await manager.callTool(names[index % names.length]!, 'say', { text })
    return textOf(result) === text
  })
  expect((await Promise.all(calls)).every(Boolean)).toBe(true)
})
