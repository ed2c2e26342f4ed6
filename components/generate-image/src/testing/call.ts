/** What a handler is given, on a platform in memory whose network is real. */
import {
  type MemoryPlatform,
  memoryPlatform,
  type MemoryPlatformOptions,
} from 'ftl-platform/memory'
import type { ToolContext } from 'ftl-sdk'
import { createContext } from 'ftl-sdk/serve'

export interface TestCall extends ToolContext {
  platform: MemoryPlatform
  /** Method and path of every request that was sent. */
  requests: string[]
  /** Moves the clock on. */
  pass(ms: number): void
}

export function testCall(options: MemoryPlatformOptions = {}): TestCall {
  const { fetch: network = fetch, ...rest } = options
  const requests: string[] = []
  let offset = 0
  const platform = memoryPlatform({
    now: () => Date.now() + offset,
    ...rest,
    fetch: (input, init) => {
      const { pathname } = new URL(input instanceof Request ? input.url : input)
      requests.push(`${init?.method ?? 'GET'} ${pathname}`)
      return network(input, init)
    },
  })
  const request = new Request('http://generate-image.spin.internal/', {
    headers: { prefer: 'respond-async', 'ftl-request-id': 'test' },
  })
  const { context } = createContext(request, platform, 'generate-image')
  return Object.assign(Object.create(context) as ToolContext, {
    platform,
    requests,
    pass: (ms: number) => void (offset += ms),
  })
}
