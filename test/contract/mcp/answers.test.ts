// What every answer has: https://modelcontextprotocol.io/specification/2026-07-28/basic/index#responses
import { describe, expect, it } from 'vitest'
import { useApplication } from './application.ts'
import { ask, SERVER_KEY } from './client.ts'

const application = useApplication()

describe('what every modern answer has', () => {
  const requests: [string, Record<string, unknown>][] = [
    ['server/discover', {}],
    ['tools/list', {}],
    ['prompts/list', {}],
    ['resources/list', {}],
    ['resources/templates/list', {}],
    ['tools/call', { name: 'test_simple_text', arguments: {} }],
    ['tools/call', { name: 'test_error_handling', arguments: {} }],
    ['tools/call', { name: 'crashes', arguments: {} }],
    ['prompts/get', { name: 'test_simple_prompt' }],
    ['resources/read', { uri: 'test://static-text' }],
    [
      'completion/complete',
      {
        ref: { type: 'ref/prompt', name: 'travel' },
        argument: { name: 'country', value: '' },
      },
    ],
  ]
  it.each(requests)('[result.type] [result.server-info] %s %j', async (method, params) => {
    const { status, result } = await ask(application.url, method, params)
    expect(status).toBe(200)
    expect(result).toMatchObject({
      resultType: 'complete',
      _meta: { [SERVER_KEY]: { name: application.name } },
    })
  })

  it('[result.type-known] is of a known type, whatever the component says', async () => {
    const { result } = await ask(application.url, 'tools/call', { name: 'result_of_another_type' })
    expect(result['resultType']).toBe('complete')
  })

  it('[result.type] [result.server-info] also when it asks for input', async () => {
    const params = { name: 'test_input_required_result_elicitation', arguments: {} }
    const capabilities = { elicitation: {} }
    const { result } = await ask(application.url, 'tools/call', params, { capabilities })
    expect(result).toMatchObject({ resultType: 'input_required', _meta: { [SERVER_KEY]: {} } })
  })
})

describe('the code of a modern error', () => {
  const failing: [string, Record<string, unknown>, object?][] = [
    ['no/such/method', {}],
    ['ping', {}],
    ['tools/call', { name: 'no_such_tool', arguments: {} }],
    ['tools/call', { arguments: {} }],
    ['tools/call', { name: 'asks_for_a_tool', arguments: {} }],
    ['tools/call', { name: 'test_missing_capability', arguments: {} }],
    ['prompts/get', { name: 'no_such_prompt' }],
    ['prompts/get', { name: 'travel', arguments: {} }],
    ['resources/read', { uri: 'test://nowhere' }],
    ['resources/read', {}],
    ['completion/complete', {}],
    ['tools/list', { cursor: 'none' }],
    ['tools/list', {}, { 'mcp-method': 'tools/call' }],
    ['tools/list', {}, { 'mcp-protocol-version': '2025-11-25' }],
  ]
  it.each(failing)(
    '[errors.retired-codes] [errors.reserved-codes] [errors.no-legacy-range] %s %j',
    async (method, params, headers = {}) => {
      const { error, result } = await ask(application.url, method, params, {
        headers: headers as Record<string, string>,
      })
      if (error === undefined) {
        expect(result['isError']).toBe(true)
        return
      }
      expect(error.code).not.toBe(-32042)
      if (error.code <= -32000 && error.code >= -32099) {
        expect([-32020, -32021, -32022]).toContain(error.code)
      }
    },
  )

  it('[errors.reserved-codes] of a version that is not served is the reserved one', async () => {
    const { error } = await ask(application.url, 'tools/list', {}, { revision: '2099-01-01' })
    expect(error?.code).toBe(-32022)
  })
})
