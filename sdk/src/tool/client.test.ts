import { describe, expect, it } from 'vitest'
import { createTool } from './create-tool.ts'
import { type CallOptions, testTool } from '../testing/index.ts'

const tool = createTool({
  metadata: { name: 'show' },
  handler: (_, { client: { protocol, readsLinks, showsApps } }) => ({
    protocol,
    readsLinks,
    showsApps: showsApps ?? 'unknown',
  }),
})
const seenBy = async (options: CallOptions) => {
  const { structuredContent } = await testTool(tool, options).call()
  return structuredContent
}
const APPS = { extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html'] } } }

describe('context.client', () => {
  it('is a plain caller without a gateway', async () => {
    const plain = { protocol: 'plain', readsLinks: true, showsApps: false }
    expect(await seenBy({})).toEqual(plain)
    for (const sent of ['', 'yes', '2026', '9999999999', 'zzzz-zz-zz']) {
      expect(await seenBy({ headers: { 'ftl-client-protocol': sent } })).toEqual(plain)
    }
  })

  it.each([
    ['2024-11-05', false],
    ['2025-03-26', false],
    ['2025-06-18', true],
    ['2025-11-25', true],
  ] as const)('of %s: links %s, apps unknown', async (protocol, readsLinks) => {
    const seen = await seenBy({ protocol, clientCapabilities: APPS })
    expect(seen).toEqual({ protocol, readsLinks, showsApps: 'unknown' })
  })

  it.each([
    [{}, false],
    [{ extensions: {} }, false],
    [{ extensions: null }, false],
    [{ extensions: 'io.modelcontextprotocol/ui' }, false],
    [APPS, true],
  ])('of 2026-07-28 shows apps if it declares them: %j', async (clientCapabilities, showsApps) => {
    const protocol = '2026-07-28'
    const seen = await seenBy({ protocol, clientCapabilities })
    expect(seen).toEqual({ protocol, readsLinks: true, showsApps })
  })

  it('is there for a handler that destructures, and after it has waited', async () => {
    const late = createTool({
      metadata: { name: 'late' },
      handler: async (_, { client }) => {
        await Promise.resolve()
        return { protocol: client.protocol }
      },
    })
    const { structuredContent } = await testTool(late, { protocol: '2025-06-18' }).call()
    expect(structuredContent).toEqual({ protocol: '2025-06-18' })
  })
})
