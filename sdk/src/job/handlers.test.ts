import type { ToolResult } from 'ftl-contract'
import { describe, expect, it } from 'vitest'
import { createTool } from '../tool/create-tool.ts'
import { createTools } from '../tool/create-tools.ts'
import { ToolResponse } from '../tool/answer-builders.ts'
import { setting } from './testing/setting.ts'
import { ask, read, start, type Works } from './testing/works.ts'

describe('a job of somebody', () => {
  it('is not there for another principal', async () => {
    const files: Works['files'] = ({ name, index }) => new Response(`${name} ${index}`)
    const { by, entry } = setting({ files })
    const { id } = await start(entry, by, { 'ftl-principal': 'ada' })
    const statuses = async (headers: Record<string, string>) => [
      (await ask(entry, by, `/jobs/${id}`, { headers })).status,
      (await ask(entry, by, `/outputs/${id}-2.png`, { headers })).status,
      (await ask(entry, by, `/jobs/${id}`, { headers, method: 'DELETE' })).status,
    ]
    // The gateway names the owner; a component that names no one has not been checked.
    for (const headers of [{ 'ftl-principal': 'bob' }, { 'ftl-principal': '' }, {}]) {
      expect(await statuses(headers as Record<string, string>)).toEqual([404, 404, 404])
    }
    const file = await ask(entry, by, `/outputs/${id}-2.png`, {
      headers: { 'ftl-principal': 'ada' },
    })
    expect(await file.text()).toBe(`${id}-2.png 1`)
    expect(await statuses({ 'ftl-principal': 'ada' })).toEqual([200, 200, 200])
  })

  it('gives its files to the other tools of its component, and to its own caller only', async () => {
    const files: Works['files'] = ({ name }) => new Response(`bytes of ${name}`)
    const { by, entry } = setting({ files })
    const { id } = await start(entry, by, { 'ftl-principal': 'ada' })
    const reader = createTool({
      metadata: { name: 'reader', inputSchema: { type: 'object' } },
      handler: async (_, { file }) => {
        const answer = await file(`${id}.png`)
        return `${answer.status} ${answer.ok ? await answer.text() : ''}`
      },
    })
    const both = { tools: createTools([...(entry.tool ? [entry.tool] : []), reader]) }
    const readBy = async (principal: string) => {
      const headers = { 'content-type': 'application/json', 'ftl-principal': principal }
      const answer = await ask(both, by, '/reader', { method: 'POST', body: {}, headers })
      return ((await answer.json()) as ToolResult).content
    }
    expect(await readBy('ada')).toMatchObject([{ text: `200 bytes of ${id}.png` }])
    expect(await readBy('bob')).toMatchObject([{ text: '404 ' }])
  })

  it('is not there for another component with the same store', async () => {
    const { on, by, entry } = setting()
    const { id } = await start(entry, by)
    const text = new TextDecoder().decode(on.values.get(`job:${id}`))
    const other = text.replace('"component":"works"', '"component":"other"')
    on.values.set(`job:${id}`, new TextEncoder().encode(other))
    expect((await ask(entry, by, `/jobs/${id}`)).status).toBe(404)
  })

  it('has no files when the tool serves none', async () => {
    const { by, entry } = setting()
    const { id } = await start(entry, by)
    expect((await ask(entry, by, `/outputs/${id}.png`)).status).toBe(404)
  })
})

describe('a job whose service does not answer', () => {
  it('is read from the store, and one poll at a time goes on behind', async () => {
    let polls = 0
    let answer: ((outcome: { result: ToolResult }) => void) | undefined
    const poll: Works['poll'] = () => {
      polls += 1
      return new Promise((resolve) => (answer = resolve))
    }
    const { on, entry, by, later } = setting({ poll })
    const { id } = await start(entry, by)
    expect((await later(id)).status).toBe('working')
    expect((await later(id)).status).toBe('working')
    expect(polls).toBe(1)
    answer?.({ result: ToolResponse.text('made') })
    await Promise.all(on.background)
    expect((await read(entry, by, id)).status).toBe('completed')
    expect(polls).toBe(1)
  })

  it('is polled again after the instance that polled it has died', async () => {
    let polls = 0
    const poll: Works['poll'] = () => {
      polls += 1
      return new Promise(() => {})
    }
    const { entry, by, later } = setting({ poll })
    const { id } = await start(entry, by)
    await later(id)
    await later(id, 10_001)
    expect(polls).toBe(2)
  })
})

describe('a component with jobs of its own making besides', () => {
  it('is asked for those', async () => {
    const { by, entry } = setting()
    const own = await start(entry, by)
    const other = { ...own, id: crypto.randomUUID(), tool: 'by hand' }
    const quick = createTool({ metadata: { name: 'quick' }, handler: () => '' })
    const tools = createTools([entry.tool ?? quick, quick], {
      jobs: { get: async () => other, cancel: async () => ({ ...other, status: 'cancelled' }) },
      output: async (name) => new Response(name),
    })
    expect(await read({ tools }, by, own.id)).toEqual(own)
    expect((await read({ tools }, by, other.id)).tool).toBe('by hand')
    const cancelled = await read({ tools }, by, other.id, { method: 'DELETE' })
    expect(cancelled.status).toBe('cancelled')
    const file = await ask({ tools }, by, `/outputs/${other.id}.png`)
    expect(await file.text()).toBe(`${other.id}.png`)
  })
})
