import { expect, it, vi } from 'vitest'
import { memoryPlatform } from 'ftl-platform/memory'
import { eventStream, startDeadline } from 'ftl-http'
import { fetchComponent } from './component-fetch.ts'
import { createScope } from './scope.ts'

it('gives up what has not begun to answer when the client goes away', async () => {
  let signal: AbortSignal | undefined
  const scope = createScope(memoryPlatform({ fetch: (_, init) => hanging(init) }), 'id')
  const hanging = (init?: RequestInit) => {
    signal = init?.signal ?? undefined
    return new Promise<Response>((_, reject) =>
      signal?.addEventListener('abort', () => reject(new Error('given up'))),
    )
  }
  const messages = async function* () {
    yield { first: true }
    const deadline = startDeadline(10_000, scope.connection)
    const { signal: until } = deadline
    await fetchComponent(scope, 'slow', '/', { timeoutMs: 1, signal: until }).catch(() => undefined)
    deadline.end()
    yield { last: true }
  }
  const reader = eventStream(messages(), () => scope.connection.leave()).body?.getReader()
  await reader?.read()
  const last = reader?.read()
  await vi.waitFor(() => expect(signal?.aborted).toBe(false))
  await reader?.cancel()
  expect(signal?.aborted).toBe(true)
  await last
})

it('sends the request for a member to the component that it is in, with its name', async () => {
  const sent: [string, string | null][] = []
  const platform = memoryPlatform({
    variables: { tool_components: 'echo@basics, plain' },
    fetch: async (url, init) => {
      sent.push([new Request(url).url, new Headers(init?.headers).get('ftl-component')])
      return new Response()
    },
  })
  const scope = createScope(platform, 'id')
  const { signal } = new AbortController()
  for (const name of ['echo', 'plain']) {
    await fetchComponent(scope, name, '/x', { timeoutMs: 1000, signal })
  }
  expect(scope.components).toEqual(['echo', 'plain'])
  expect(sent).toEqual([
    ['http://basics.spin.internal/x', 'echo'],
    ['http://plain.spin.internal/x', null],
  ])
})
