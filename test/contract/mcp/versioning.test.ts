// Versions and eras: https://modelcontextprotocol.io/specification/2026-07-28/basic/versioning
import { describe, expect, it } from 'vitest'
import { useApplication } from './application.ts'
import { capabilitiesAt } from './checks.ts'
import { ALL, ask, LEGACY, MODERN, send, textOf, VERSION_KEY } from './client.ts'

const application = useApplication()

const CLIENT = { name: 'contract-tests', version: '1.0.0' }
const SIMPLE = { name: 'test_simple_text', arguments: {} }
const NEWEST_LEGACY = '2025-11-25'

function initialize(protocolVersion: unknown, headers: Record<string, string> = {}) {
  const params = { protocolVersion, capabilities: {}, clientInfo: CLIENT }
  return send(application.url, { jsonrpc: '2.0', id: 1, method: 'initialize', params }, headers)
}

describe('server/discover', () => {
  it('[version.discover] [version.discover-result] tells versions and capabilities', async () => {
    const { status, result } = await ask(application.url, 'server/discover')
    expect(status).toBe(200)
    expect(result).toMatchObject({
      resultType: 'complete',
      supportedVersions: [MODERN],
      capabilities: { tools: {}, prompts: {}, resources: {}, completions: {}, logging: {} },
    })
  })

  it('[version.discover] is not needed before anything else', async () => {
    expect(textOf(await ask(application.url, 'tools/call', SIMPLE))).toMatch(/simple text/)
  })
})

describe('a version that is not served', () => {
  it.each(['2099-01-01', '1900-01-01', 'DRAFT-2026-v1', 'latest', '', '2025-11-25'])(
    '[version.unsupported] is refused with those that are: "%s"',
    async (requested) => {
      const { status, error, messages } = await ask(
        application.url,
        'tools/list',
        {},
        {
          meta: { [VERSION_KEY]: requested },
          headers: { 'mcp-protocol-version': requested },
        },
      )
      expect(status).toBe(400)
      expect(messages[0]?.id).toBe(1)
      expect(error).toMatchObject({ code: -32022, data: { requested } })
      expect(error?.data?.['supported']).toContain(MODERN)
    },
  )

  it('[version.supported-served] and all of those are really served', async () => {
    const { error } = await ask(application.url, 'tools/list', {}, { revision: '2099-01-01' })
    const discovered = await ask(application.url, 'server/discover')
    const supported = error?.data?.['supported'] as string[]
    expect(supported.length).toBeGreaterThan(0)
    for (const revision of supported) {
      expect(discovered.result['supportedVersions']).toContain(revision)
      expect((await ask(application.url, 'tools/list', {}, { revision })).status).toBe(200)
    }
  })
})

describe('a modern method that is not there', () => {
  it.each(['no/such/method', 'tools', 'constructor', '__proto__', 'tasks/list', 'tasks/result'])(
    '[version.unknown-method] is 404 and -32601: %s',
    async (method) => {
      const { status, error, messages } = await ask(application.url, method, {}, { id: 'x' })
      expect([status, error?.code, messages[0]?.id]).toEqual([404, -32601, 'x'])
    },
  )

  it.each([
    ['initialize', { protocolVersion: MODERN, capabilities: {}, clientInfo: CLIENT }],
    ['ping', {}],
    ['logging/setLevel', { level: 'info' }],
    ['resources/subscribe', { uri: 'test://static-text' }],
    ['resources/unsubscribe', { uri: 'test://static-text' }],
  ])('[version.removed-methods] is %s, which older revisions have', async (method, params) => {
    const { status, error } = await ask(application.url, method, params)
    expect([status, error?.code]).toEqual([404, -32601])
  })
})

describe('one endpoint', () => {
  it('[version.both-eras] serves clients of every revision at once', async () => {
    const answers = await Promise.all(
      [...ALL, ...ALL].map((revision) => ask(application.url, 'tools/call', SIMPLE, { revision })),
    )
    for (const answer of answers) expect(textOf(answer)).toMatch(/simple text/)
  })

  it('[version.body-decides] is modern for a request that carries its version', async () => {
    await initialize('2025-03-26')
    const { result } = await ask(application.url, 'tools/list')
    expect(result).toMatchObject({ resultType: 'complete' })
  })

  it('[version.body-decides] is modern even for initialize, which modern servers do not have', async () => {
    const params = { protocolVersion: NEWEST_LEGACY, capabilities: {}, clientInfo: CLIENT }
    const { status, error } = await ask(application.url, 'initialize', params)
    expect([status, error?.code]).toEqual([404, -32601])
  })

  it.each(LEGACY)('[version.legacy-as-agreed] gives %s no modern fields', async (revision) => {
    const results = [
      await initialize(revision),
      ...(await Promise.all([
        ask(application.url, 'tools/list', {}, { revision }),
        ask(application.url, 'tools/call', SIMPLE, { revision }),
        ask(application.url, 'resources/read', { uri: 'test://static-text' }, { revision }),
      ])),
    ].map(({ result }) => result)
    for (const result of results) {
      expect(Object.keys(result).length).toBeGreaterThan(0)
      expect(result).not.toHaveProperty('resultType')
      expect(result).not.toHaveProperty('ttlMs')
      expect(result).not.toHaveProperty('cacheScope')
    }
  })

  it.each(LEGACY)('[version.legacy-as-agreed] asks a client of %s nothing', async (revision) => {
    const params = { name: 'test_input_required_result_elicitation', arguments: {} }
    const { text, result, error } = await ask(application.url, 'tools/call', params, { revision })
    expect(text).not.toContain('inputRequests')
    expect(error !== undefined || result['isError'] === true).toBe(true)
  })

  it('[version.unknown-extension] serves a client with extensions nobody knows', async () => {
    const capabilities = { extensions: { 'com.example/teleport': { range: 5 } } }
    const answer = await ask(application.url, 'tools/call', SIMPLE, { capabilities })
    expect(answer.result).toMatchObject({ resultType: 'complete' })
    expect(textOf(answer)).toMatch(/simple text/)
  })
})

describe.each(LEGACY)('initialize at %s', (revision) => {
  it('[version.initialize] [version.initialize-same] agrees on the version asked for', async () => {
    const { status, result } = await initialize(revision)
    expect(status).toBe(200)
    expect(result).toMatchObject({
      protocolVersion: revision,
      capabilities: { tools: {} },
      serverInfo: { name: application.name },
    })
  })

  it('[version.initialized] is followed by a notification that is accepted', async () => {
    const message = { jsonrpc: '2.0', method: 'notifications/initialized' }
    const { status } = await send(application.url, message, { 'mcp-protocol-version': revision })
    expect(status).toBe(202)
  })

  it('[version.ping] is followed by pings with an empty answer', async () => {
    const { result, status } = await ask(application.url, 'ping', {}, { revision })
    expect([status, result]).toEqual([200, {}])
  })
})

it.each(['2099-01-01', '1.0', MODERN, 'latest'])(
  '[version.initialize-other] [version.initialize-newest] initialize with %s is offered the newest handshake',
  async (version) => {
    const { status, result } = await initialize(version)
    expect(status).toBe(200)
    expect(result['protocolVersion']).toBe(NEWEST_LEGACY)
  },
)

it.each(['2025-01-01', 'nonsense', '2025-11-26'])(
  '[version.header-unknown] a request with MCP-Protocol-Version: %s is refused with 400',
  async (version) => {
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
    const { status, error } = await send(application.url, message, {
      'mcp-protocol-version': version,
    })
    expect(status).toBe(400)
    expect(error?.code).toBeLessThan(0)
  },
)

it('[version.header-absent] a request without that header is served as 2025-03-26, which knows arrays', async () => {
  const batch = [{ jsonrpc: '2.0', id: 1, method: 'ping' }]
  const { status, text } = await send(application.url, batch)
  expect(status).toBe(200)
  expect(JSON.parse(text)).toEqual([{ jsonrpc: '2.0', id: 1, result: {} }])
})

it.each(ALL)(
  '[capabilities.no-change-notifications] promise no announcements at %s',
  async (revision) => {
    const capabilities = await capabilitiesAt(application.url, revision)
    expect(Object.keys(capabilities)).toEqual(
      expect.arrayContaining(['tools', 'prompts', 'resources']),
    )
    for (const kind of ['tools', 'prompts', 'resources']) {
      expect(capabilities[kind]?.listChanged ?? false).toBe(false)
    }
  },
)
