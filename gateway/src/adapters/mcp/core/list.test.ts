import { describe, expect, it } from 'vitest'
import { createWorld, several, tool } from '../../../testing/components.ts'

interface Page {
  result: { tools: { name: string }[]; nextCursor?: string }
}

const list = (cursor?: unknown, method = 'tools/list') => ({
  jsonrpc: '2.0',
  method,
  params: { ...(cursor !== undefined && { cursor }) },
  id: 1,
})

function paged() {
  const names = ['a', 'b', 'c', 'd', 'e']
  return createWorld({
    components: { one: several(names.map((name) => tool(name))) },
    variables: { list_settings: 'list_page_size=2' },
  })
}

describe('a list of several pages', () => {
  it('can be read to its end', async () => {
    const world = paged()
    const pages: string[][] = []
    let cursor: string | undefined
    do {
      const { result } = (await world.rpc(list(cursor))) as Page
      pages.push(result.tools.map(({ name }) => name))
      cursor = result.nextCursor
    } while (cursor !== undefined)
    expect(pages).toEqual([['a', 'b'], ['c', 'd'], ['e']])
  })

  it('goes on at the right place when tools have come or gone meanwhile', async () => {
    const world = paged()
    const first = (await world.rpc(list())) as Page
    world.components['one'] = several(['new', 'a', 'b', 'c'].map((name) => tool(name)))
    const next = (await world.rpc(list(first.result.nextCursor))) as Page
    expect(next.result.tools.map(({ name }) => name)).toEqual(['c'])
  })

  it.each(['x', '', 5, 'W10=', btoa('["prompts",1,"a"]'), btoa('["tools",-1,"x"]')])(
    'refuses the cursor %j, which it never gave out',
    async (cursor) => {
      expect(await paged().rpc(list(cursor))).toMatchObject({
        error: { code: -32602, data: { reason: expect.stringContaining('cursor') as string } },
      })
    },
  )
})
