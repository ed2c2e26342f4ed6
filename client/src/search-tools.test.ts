import { describe, expect, it } from 'vitest'
import { ConnectionError, RpcError } from './errors.ts'
import type { ToolResult } from './tool-call.ts'
import { searchTools } from './search-tools.ts'

/** A server that answers every call with this. */
function answering(answer: Partial<ToolResult> | Error) {
  const calls: unknown[] = []
  return {
    calls,
    callTool: async (...call: unknown[]): Promise<ToolResult> => {
      calls.push(call)
      if (answer instanceof Error) throw answer
      return { content: [], ...answer }
    },
  }
}

const FOUND = { tools: [{ name: 'send_email', component: 'mail' }], matches: 1 }

describe('searchTools', () => {
  it('asks with what the caller states, and returns what was found', async () => {
    const server = answering({ structuredContent: FOUND })
    expect(await searchTools(server, 'mail', { limit: 3, timeoutMs: 5 })).toEqual(FOUND)
    expect(server.calls).toEqual([['search_tools', { query: 'mail', limit: 3 }, { timeoutMs: 5 }]])
  })

  it('returns nothing for a server that has no search, or one of its own', async () => {
    const unknown = new RpcError(-32602, 'Unknown tool: search_tools')
    expect(await searchTools(answering(unknown), 'mail')).toBeUndefined()
    for (const structuredContent of [undefined, [], { tools: 1 }, { tools: [{}], matches: 1 }]) {
      expect(await searchTools(answering({ structuredContent }), 'mail')).toBeUndefined()
    }
    const failed = answering({ structuredContent: FOUND, isError: true })
    expect(await searchTools(failed, 'mail')).toBeUndefined()
  })

  it('throws what a call throws', async () => {
    const lost = new ConnectionError('lost')
    await expect(searchTools(answering(lost), 'mail')).rejects.toBe(lost)
  })
})
