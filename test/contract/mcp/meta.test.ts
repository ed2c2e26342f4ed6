// What a request says about itself: https://modelcontextprotocol.io/specification/2026-07-28/basic/index#meta
import { describe, expect, it } from 'vitest'
import { useApplication } from './application.ts'
import { ask, CAPABILITIES_KEY, CLIENT_KEY, requestOf, send, VERSION_KEY } from './client.ts'

const application = useApplication()

describe('_meta of a modern request', () => {
  it.each([VERSION_KEY, CAPABILITIES_KEY])('[meta.required] must have %s', async (key) => {
    const { status, error, messages } = await ask(
      application.url,
      'tools/list',
      {},
      {
        meta: { [key]: undefined },
      },
    )
    expect([status, error?.code, messages[0]?.id]).toEqual([400, -32602, 1])
  })

  it('[meta.required] must be there for a request whose header is modern', async () => {
    const { headers } = requestOf('tools/list', {})
    for (const params of [undefined, {}, { _meta: {} }, { _meta: null }]) {
      const message = { jsonrpc: '2.0', id: 1, method: 'tools/list', params }
      const { status, error } = await send(application.url, message, headers)
      expect([status, error?.code]).toEqual([400, -32602])
    }
  })

  it.each([
    [VERSION_KEY, 20260728],
    [CAPABILITIES_KEY, 'all'],
    [CAPABILITIES_KEY, null],
    [CAPABILITIES_KEY, []],
  ])('[meta.required] must have the right type: %s is not %j', async (key, value) => {
    const { status, error } = await ask(
      application.url,
      'tools/list',
      {},
      { meta: { [key]: value } },
    )
    expect([status, error?.code]).toEqual([400, -32602])
  })

  it('[meta.client-info-optional] need not say who the client is', async () => {
    const { status } = await ask(
      application.url,
      'tools/list',
      {},
      { meta: { [CLIENT_KEY]: undefined } },
    )
    expect(status).toBe(200)
  })

  it('[meta.stateless] counts for its own request only', async () => {
    const params = { name: 'test_missing_capability', arguments: {} }
    const able = await ask(application.url, 'tools/call', params, {
      capabilities: { sampling: {} },
    })
    expect(able.result['resultType']).toBe('input_required')
    const unable = await ask(application.url, 'tools/call', params)
    expect(unable.error?.code).toBe(-32021)
    // Nor does a version carry over.
    const { status } = await ask(
      application.url,
      'tools/list',
      {},
      { meta: { [VERSION_KEY]: undefined } },
    )
    expect(status).toBe(400)
  })

  it('[meta.missing-capability] is asked for what a tool needs', async () => {
    const params = { name: 'test_missing_capability', arguments: {} }
    const { status, error, messages } = await ask(application.url, 'tools/call', params, {
      capabilities: { elicitation: {}, roots: {} },
    })
    expect([status, messages[0]?.id]).toEqual([400, 1])
    expect(error).toMatchObject({ code: -32021, data: { requiredCapabilities: { sampling: {} } } })
  })
})
