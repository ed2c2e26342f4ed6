import { memoryPlatform } from 'ftl-platform/memory'
import { expect, it } from 'vitest'
import { createTool } from '../tool/create-tool.ts'
import { toComponent } from './component.ts'

const tool = createTool({
  metadata: { name: 'who', description: 'Returns the caller' },
  handler: (_, { caller, principal, deadline }) => ({ caller, principal, deadline }),
})
const component = toComponent({ tool }, 'who')

async function said(
  senders: string[],
  route: Record<string, string> = { 'spin-matched-route': '/...' },
) {
  const headers = new Headers({
    ...route,
    'content-type': 'application/json',
    'ftl-principal': 'key:ann',
    'ftl-caller': '{"scopes":["tools"]}',
    'ftl-deadline': '1234',
  })
  for (const sender of senders) headers.append('spin-client-addr', sender)
  const init = { method: 'POST', headers, body: '{}' }
  const request = new Request('http://who.spin.internal/', init)
  const response = await component.fetch(request, memoryPlatform())
  return ((await response.json()) as { structuredContent: unknown }).structuredContent
}

const ann = { caller: { id: 'key:ann', scopes: ['tools'] }, principal: 'key:ann', deadline: 1234 }

it.each([[['0.0.0.0:0']], [['203.0.113.7:4711', '0.0.0.0:0']]])(
  'a request of a component names its caller: %j',
  async (senders) => {
    expect(await said(senders)).toEqual(ann)
  },
)

it('a component that is a server of its own believes whoever reaches it', async () => {
  expect(await said(['127.0.0.1:4711'], {})).toEqual(ann)
})

it.each([
  [['203.0.113.7:4711']],
  [['[2001:db8::1]:80']],
  [['0.0.0.0:0', '203.0.113.7:4711']],
  [['0.0.0.0:0x']],
  [['10.0.0.0:0']],
])('a request through a public route cannot name a caller: %j', async (senders) => {
  expect(await said(senders)).toEqual({ deadline: 1234 })
})
