// A chat whose tools are too many for its model: it gets those that find and call the others.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chat, type ChatApplication, startChat, statuses } from './application.ts'

const call = (name: string, args: object) => ({ calls: [{ name, arguments: args }] })

describe('a chat with too many tools', () => {
  let application: ChatApplication
  beforeAll(async () => {
    const turns = [
      call('search_tools', { query: 'echo a message' }),
      call('use_tool', { name: 'echo', arguments: { message: 'back' } }),
      { content: 'Said.' },
    ]
    application = await startChat({ script: [{ turns }] }, { tools_mode: 'on' })
  })
  afterAll(() => application.close())

  const told = async (body: object) => {
    const lines = await chat(application, { message: 'x', ...body })
    const request = application.model.requests.at(-1)
    const tools = application.model.requests[0]?.body.tools?.map((tool) => tool.function.name)
    return { lines, tools, messages: request?.body.messages ?? [] }
  }

  it('searches, and calls what it found', async () => {
    const { lines, tools, messages } = await told({})
    expect(tools).toEqual(['search_tools', 'describe_tools', 'use_tool'])
    const answers = messages.filter(({ role }) => role === 'tool').map(({ content }) => content)
    expect(answers[0]).toMatch(/^echo: /)
    expect(answers[1]).toBe('back')
    // The user sees the tool, and not how it was reached.
    expect(statuses(lines)).toContain('Calling echo')
    expect(lines.at(-1)?.response?.toolCalls).toMatchObject([
      { tool: 'search_tools' },
      { tool: 'echo', isError: false },
    ])
  })

  it('neither finds nor calls a tool that the user has excluded', async () => {
    const { lines, messages } = await told({ blockedServers: ['echo'] })
    const answers = messages.filter(({ role }) => role === 'tool').map(({ content }) => content)
    expect(answers[0]).not.toContain('echo:')
    expect(answers[1]).toContain('tool_not_found')
    expect(statuses(lines)).not.toContain('Calling echo')
  })

  it('has no tools at all if the user has excluded all', async () => {
    await told({ blockedServers: ['echo', 'talk'] })
    const last = application.model.requests.at(-1)?.body.tools ?? []
    expect(last).toEqual([])
  })
})
