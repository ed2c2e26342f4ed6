// What a request of a client costs inside: how many requests the gateway sends to components.
import { dirname, join } from 'node:path'
import { type Host, startHost } from 'ftl-host'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { RECORDING, recordRequests } from '../support/internal-requests.ts'
import { MANIFESTS } from '../support/manifests.ts'
import { ask } from './mcp/client.ts'
import { embeddedOnly } from '../support/embedded-only.ts'

const REVISIONS = [
  { client: 'a plain client', revision: null },
  { client: 'a client of 2025-11-25', revision: '2025-11-25' },
  { client: 'a client of 2026-07-28', revision: '2026-07-28' },
]

/** Starts an application and lists its tools until the gateway knows this one of each component. */
function useWarm(
  manifest: string,
  tools: string[],
  variables?: Record<string, string>,
): { url: string } {
  const application = { url: '' }
  let host: Host
  beforeAll(async () => {
    host = await startHost({
      manifest,
      variables,
      listen: '127.0.0.1:0',
      stateDir: '',
      env: {},
      ...RECORDING,
      cacheDir: join(dirname(MANIFESTS.application), '.ftl', 'cache'),
    })
    application.url = host.url
    // The first request of each component is the slowest, and a busy machine may need more than the deadline.
    await vi.waitFor(
      async () => {
        const { result } = await ask(host.url, 'tools/list')
        const known = (result['tools'] as { name: string }[]).map(({ name }) => name)
        expect(known).toEqual(expect.arrayContaining(tools))
      },
      { timeout: 60_000 },
    )
  })
  afterAll(() => host.close())
  return application
}

// Only the host in this process can be looked into.
describe('inside the application', embeddedOnly('records the requests inside the host'), () => {
  describe('with many components, whose descriptions are asked for each list', () => {
    // catalog_ttl_ms is 0 here: the strictest case, nothing that is known counts as new.
    const components = ['echo', 'weather', 'counter']
    const application = useWarm(MANIFESTS.fixtures, components, {
      tool_components: components.join(),
    })

    it.each(REVISIONS)('a call of $client is exactly one request', async ({ revision }) => {
      const { requests, value } = await recordRequests(() =>
        ask(
          application.url,
          'tools/call',
          { name: 'echo', arguments: { message: 'x' } },
          { revision },
        ),
      )
      expect(value.result).toMatchObject({ content: [{ type: 'text', text: 'x' }] })
      expect(requests).toEqual([{ method: 'POST', authority: 'echo.spin.internal', path: '/' }])
    })

    it.each(REVISIONS)('a list of $client asks every component once', async ({ revision }) => {
      const { requests } = await recordRequests(() =>
        ask(application.url, 'tools/list', {}, { revision }),
      )
      expect(requests).toHaveLength(components.length)
      expect(requests).toEqual(
        expect.arrayContaining(
          components.map((component) => ({
            method: 'GET',
            authority: `${component}.spin.internal`,
            path: '/',
          })),
        ),
      )
    })

    it('unfit arguments reach no tool, only its description is asked again', async () => {
      const { requests, value } = await recordRequests(() =>
        ask(application.url, 'tools/call', { name: 'echo', arguments: { message: 1 } }),
      )
      expect(value.result).toMatchObject({ isError: true })
      expect(requests).toEqual([{ method: 'GET', authority: 'echo.spin.internal', path: '/' }])
    })
  })

  describe('with one component of many offers', () => {
    const application = useWarm(MANIFESTS.conformance, ['test_simple_text', 'greet'])
    const authority = 'everything.spin.internal'

    it.each([
      ['tools/call', { name: 'test_simple_text' }, 'POST', '/test_simple_text'],
      ['prompts/get', { name: 'test_simple_prompt' }, 'POST', '/prompts/test_simple_prompt'],
      [
        'resources/read',
        { uri: 'test://static-text' },
        'GET',
        '/resources?uri=test%3A%2F%2Fstatic-text',
      ],
    ])('%s is exactly one request', async (rpcMethod, params, method, path) => {
      for (const { revision } of REVISIONS) {
        const { requests, value } = await recordRequests(() =>
          ask(application.url, rpcMethod, params, { revision }),
        )
        expect(value.error).toBeUndefined()
        expect(requests).toEqual([{ method, authority, path }])
      }
    })

    it.each(REVISIONS)(
      'a call of $client that tells its progress is exactly one request',
      async ({ revision }) => {
        const { requests, value } = await recordRequests(() =>
          ask(
            application.url,
            'tools/call',
            { name: 'test_tool_with_progress' },
            { revision, meta: { progressToken: 'p' } },
          ),
        )
        expect(value.messages.at(-1)?.result).toBeDefined()
        expect(requests).toHaveLength(1)
      },
    )

    it('a list within catalog_ttl_ms of the last sends no requests', async () => {
      await ask(application.url, 'tools/list')
      for (const method of ['tools/list', 'prompts/list', 'resources/list']) {
        const { requests } = await recordRequests(() => ask(application.url, method))
        expect(requests).toEqual([])
      }
    })
  })
})
