// Assistants of 2025 know neither tasks nor questions, and negotiate an older revision.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { connectLegacy } from './legacy-client.ts'
import { type ClientsWorld, ONE_APPROVAL, startClientsWorld, THREE_CALLS } from './world.ts'

let world: ClientsWorld
beforeAll(async () => (world = await startClientsWorld()))
beforeEach(() => {
  world.effects.done.length = 0
})
afterAll(() => world?.close())

describe.each(['2025-03-26', '2025-06-18'])('an assistant of %s', (revision) => {
  const connect = (query: string) => connectLegacy(`${world.url}/mcp${query}`, revision)

  it('negotiates its revision', async () => {
    expect((await connect('?tools=code')).revision).toBe(revision)
  })

  it.each([
    ['?tools=search', ['search_tools', 'describe_tools', 'use_tool']],
    ['?tools=code', ['search_tools', 'describe_tools', 'run_code']],
  ])('with %s lists three tools', async (query, names) => {
    const { list } = await connect(query)
    expect(await list()).toEqual(names)
  })

  it('with ?tools=all lists every tool', async () => {
    const { list } = await connect('?tools=all')
    expect(await list()).toEqual(expect.arrayContaining(['run_code', 'echo', 'append', 'delete']))
  })

  it('searches, describes, and calls what it found', async () => {
    const { call } = await connect('?tools=search')
    const found = await call('search_tools', { query: 'append', detail: 'brief' })
    expect(found.text).toContain('append')
    const described = await call('describe_tools', { names: ['append'], format: 'json' })
    expect(described.text).toContain('"path"')
    const called = await call('use_tool', { name: 'append', arguments: { path: 'x' } })
    expect(called).toMatchObject({ text: 'did append x', isError: false })
  })

  it('runs a program, and sees each call while it waits', async () => {
    const { call } = await connect('?tools=code')
    const { text, messages } = await call('run_code', { code: THREE_CALLS })
    expect(text).toBe('did append a, did append b, did append c')
    expect(messages).toEqual([1, 2, 3].map((seq) => `Call ${seq}: effects.append`))
  })

  it('gets the errors of a program and of its arguments as results', async () => {
    const { call } = await connect('?tools=code')
    const thrown = await call('run_code', { code: 'await tools.effects.append({})' })
    expect(thrown.isError).toBe(true)
    expect(thrown.text).toMatch(/^ToolError: .*path/)
    const unknown = await call('run_code', { code: 'await tools.effects.apend({})' })
    expect(unknown.text).toMatch(/TypeError/)
    expect(world.effects.done).toEqual([])
  })

  it('makes the calls before an approval, and is told what is missing', async () => {
    const { call } = await connect('?tools=code')
    const { text, isError } = await call('run_code', { code: ONE_APPROVAL })
    expect(isError).toBe(true)
    expect(text).toContain('delete')
    expect(text).toMatch(/approv/)
    expect(world.effects.done).toEqual(['append a'])
  })
})
