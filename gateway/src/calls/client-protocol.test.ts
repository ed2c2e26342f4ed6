import { CLIENT_PROTOCOL_HEADER } from 'ftl-contract'
import { describe, expect, it } from 'vitest'
import { call, createWorld, foreign, post, text, tool } from '../testing/components.ts'
import { modern } from '../testing/modern.ts'

/** What a component receives in the header of the client's revision. */
async function received(request: Request): Promise<string | null | undefined> {
  let seen: string | null | undefined
  const world = createWorld({
    components: {
      one: foreign(tool('one'), (_, { headers }) => {
        seen = headers.get(CLIENT_PROTOCOL_HEADER)
        return text('ok')
      }),
    },
  })
  await (await world.send(request)).text()
  return seen
}

const EVENTS = { accept: 'application/json, text/event-stream' }

describe('a component receives the revision of the client', () => {
  it('of 2026-07-28', async () => {
    expect(await received(modern('tools/call', { name: 'one', arguments: {} }))).toBe('2026-07-28')
  })

  it.each(['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'])('of %s', async (revision) => {
    const headers = { 'mcp-protocol-version': revision }
    expect(await received(post(call('one', {}), headers))).toBe(revision)
  })

  it('that sends no version, because its revision has no header for it', async () => {
    expect(await received(post(call('one', {}), EVENTS))).toBe('2025-03-26')
  })

  const rest = (headers: Record<string, string> = {}) =>
    new Request('http://localhost:3000/invoke', {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ tool: 'one', arguments: {} }),
    })

  it.each([
    ['JSON-RPC without a version', post(call('one', {}))],
    [
      'the version of the API reference',
      post(call('one', {}), { 'mcp-protocol-version': '0.1.0' }),
    ],
    ['plain HTTP', rest()],
    ['plain HTTP as lines', rest({ accept: 'text/event-stream' })],
  ])('but none for %s', async (_, request) => {
    expect(await received(request)).toBeNull()
  })

  it.each([
    ['plain HTTP', rest({ [CLIENT_PROTOCOL_HEADER]: '2026-07-28' }), null],
    [
      'a client of 2025-11-25',
      post(call('one', {}), {
        'mcp-protocol-version': '2025-11-25',
        [CLIENT_PROTOCOL_HEADER]: 'x',
      }),
      '2025-11-25',
    ],
  ])('and never one that %s made up', async (_, request, expected) => {
    expect(await received(request)).toBe(expected)
  })
})
