/** The context of a call whose variables and network a test chooses. */
import type { ContextPlatform, ToolContext } from 'ftl-sdk'
import { createContext } from 'ftl-sdk/serve'

interface TestCallOptions {
  variables?: Record<string, string>
  /** @default the network */
  fetch?: ContextPlatform['fetch']
}

interface TestCall extends ToolContext {
  /** Address of every request that was sent. */
  requests: string[]
}

/** @param principal of the caller. */
export function testCall(
  { variables = {}, fetch: network = fetch }: TestCallOptions = {},
  principal?: string,
): TestCall {
  const requests: string[] = []
  const platform: ContextPlatform = {
    openKeyValue: () => Promise.reject(new Error('there is no store')),
    variables: { get: (name) => variables[name] },
    files: { read: async () => undefined, list: async () => [], stamp: async () => undefined },
    now: () => Date.now(),
    randomUUID: () => crypto.randomUUID(),
    fetch: (input, init) => {
      requests.push(new Request(input).url)
      return network(input, init)
    },
    waitUntil: () => {},
  }
  const request = new Request('http://images.spin.internal/', {
    headers: principal === undefined ? {} : { 'ftl-principal': principal },
  })
  const { context } = createContext(request, platform, 'images')
  return Object.assign(Object.create(context) as ToolContext, { requests })
}
