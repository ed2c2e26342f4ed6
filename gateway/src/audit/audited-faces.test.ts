import { describe, expect, it } from 'vitest'
import { auditLog } from '../testing/audit-log.ts'
import { auditedWorld } from '../testing/audited-world.ts'
import { call } from '../testing/components.ts'
import { modern } from '../testing/modern.ts'
import { request } from '../testing/rest.ts'

const { printed, entries } = auditLog()

describe('every face of the gateway writes one line for each call', () => {
  const ARGUMENTS = { message: 'hi', key: 's3cret' }
  const openAi = {
    id: 'x',
    type: 'function',
    function: { name: 'a', arguments: JSON.stringify(ARGUMENTS) },
  }

  it.each<[string, string, Request]>([
    ['MCP 2026-07-28', 'mcp', modern('tools/call', { name: 'a', arguments: ARGUMENTS })],
    [
      'MCP of older revisions',
      'mcp',
      request('/mcp', {
        body: call('a', ARGUMENTS),
        headers: { 'mcp-protocol-version': '2025-06-18' },
      }),
    ],
    ['plain JSON-RPC', 'mcp', request('/mcp', { body: call('a', ARGUMENTS) })],
    ['a batch', 'mcp', request('/mcp', { body: [call('a', ARGUMENTS)] })],
    ['plain HTTP', 'http', request('/invoke', { body: { tool: 'a', params: ARGUMENTS } })],
    ['the form of OpenAI', 'http', request('/invoke', { body: openAi })],
    ['a list of OpenAI', 'http', request('/invoke', { body: [openAi] })],
  ])('%s', async (_, face, sent) => {
    const response = await auditedWorld().send(sent)
    await response.text()
    expect(entries()).toEqual([
      expect.objectContaining({
        audit: 1,
        event: 'call',
        face,
        tool: 'a',
        component: 'one',
        outcome: 'ok',
      }),
    ])
    expect(printed[0]).not.toContain('s3cret')
  })

  it('with the same digest of the same arguments', async () => {
    const one = auditedWorld()
    await one.rpc(call('a', { message: 'hi', key: 'k' }))
    await one.rpc(call('a', { key: 'k', message: 'hi' }))
    await one.rpc(call('a', { message: 'hi', key: 'other' }))
    const [first, second, third] = entries().map((entry) => entry['arguments'])
    expect(second).toEqual(first)
    expect(third).not.toEqual(first)
  })

  it('and nothing where the log is off', async () => {
    const off = auditedWorld({ variables: { call_settings: 'audit=off' } })
    await off.rpc(call('a', {}))
    expect(printed).toEqual([])
  })
})
