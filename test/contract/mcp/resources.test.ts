// Resources: https://modelcontextprotocol.io/specification/2026-07-28/server/resources
import { describe, expect, it } from 'vitest'
import { useApplication } from './application.ts'
import { capabilitiesAt } from './checks.ts'
import { ALL, ask, LEGACY, MODERN } from './client.ts'

const application = useApplication()

describe.each(ALL)('resources at %s', (revision) => {
  const read = (uri: unknown) => ask(application.url, 'resources/read', { uri }, { revision })

  it('[resources.capability] are declared', async () => {
    expect(await capabilitiesAt(application.url, revision)).toMatchObject({ resources: {} })
  })

  it('[resources.list] are listed with what is known of them', async () => {
    const { status, result } = await ask(application.url, 'resources/list', {}, { revision })
    expect(status).toBe(200)
    expect(result['resources']).toEqual(
      expect.arrayContaining([
        {
          uri: 'test://static-text',
          name: 'Static text',
          description: 'A text that never changes',
          mimeType: 'text/plain',
        },
        { uri: 'odd://bytes', name: 'Bytes', mimeType: 'application/octet-stream', size: 6 },
      ]),
    )
  })

  it('[resources.templates] have their templates listed', async () => {
    const { result } = await ask(application.url, 'resources/templates/list', {}, { revision })
    expect(result['resourceTemplates']).toEqual([
      {
        uriTemplate: 'test://template/{id}/data',
        name: 'Data by id',
        description: 'The data of one id',
        mimeType: 'application/json',
      },
      { uriTemplate: 'odd://city/{city}', name: 'City', description: 'One city' },
    ])
  })

  it('[resources.read-text] are read as text', async () => {
    const { status, result } = await read('test://static-text')
    expect(status).toBe(200)
    expect(result['contents']).toEqual([
      {
        uri: 'test://static-text',
        mimeType: 'text/plain',
        text: 'This is the content of the static text resource.',
      },
    ])
  })

  it('[resources.read-binary] are read as base64', async () => {
    const { result } = await read('odd://bytes')
    const [content] = result['contents'] as { uri: string; blob: string }[]
    expect(content?.uri).toBe('odd://bytes')
    expect([...Buffer.from(content?.blob ?? '', 'base64')]).toEqual([0, 1, 2, 253, 254, 255])
  })

  it('[resources.read-template] are read by a uri that fits a template', async () => {
    const { result } = await read('test://template/a%20b/data')
    expect(result['contents']).toMatchObject([
      { uri: 'test://template/a%20b/data', mimeType: 'application/json' },
    ])
    const [content] = result['contents'] as { text: string }[]
    expect(JSON.parse(content?.text ?? '')).toMatchObject({ templateTest: true })
  })

  it.each([[undefined], [5], [null], [''], [{}]])(
    '[resources.uri-validated] are not read by the uri %j',
    async (uri) => {
      const headers = { 'mcp-name': undefined }
      const { error, messages } = await ask(
        application.url,
        'resources/read',
        { uri },
        { revision, headers },
      )
      expect(messages[0]?.id).toBe(1)
      // Modern clients must name in a header what they read: either is wrong here.
      expect(revision === MODERN ? [-32602, -32020] : [-32602]).toContain(error?.code)
    },
  )
})

describe('a resource that is not there', () => {
  const NOWHERE = ['test://nowhere', 'odd://nothing', 'no-scheme', 'test://template//data']

  it.each(NOWHERE)('[resources.not-found] is -32602 and named: %s', async (uri) => {
    const { status, error } = await ask(application.url, 'resources/read', { uri })
    expect(status).toBe(200)
    expect(error).toMatchObject({ code: -32602, data: { uri } })
  })

  // A component that answers with nothing at all has made a mistake, and its code may say so.
  it.each([...NOWHERE, 'odd://city/nowhere'])(
    '[resources.not-found-not-empty] has no empty contents: %s',
    async (uri) => {
      const { messages } = await ask(application.url, 'resources/read', { uri })
      expect(messages[0]).not.toHaveProperty('result')
    },
  )

  describe.each(LEGACY)('at %s', (revision) => {
    it.each(['test://nowhere', 'odd://nothing'])(
      '[resources.not-found-legacy] is -32002: %s',
      async (uri) => {
        const { status, error } = await ask(
          application.url,
          'resources/read',
          { uri },
          { revision },
        )
        expect([status, error?.code]).toEqual([200, -32002])
      },
    )
  })
})

it('[resources.subscribe-honest] no updates are promised', async () => {
  const { result } = await ask(application.url, 'server/discover')
  const { resources } = result['capabilities'] as { resources: { subscribe?: boolean } }
  expect(resources.subscribe ?? false).toBe(false)
})
