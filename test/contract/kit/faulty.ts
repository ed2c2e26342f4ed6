/** A component that keeps the contract below `/none`, and below each other path breaks one rule of it. */
import { createTool, ToolResponse } from 'ftl-sdk'
import type { ContextPlatform } from 'ftl-sdk'
import { toComponent } from 'ftl-sdk/serve'
import { FAULTS } from './faults.ts'

const say = createTool({
  metadata: {
    name: 'say',
    description: 'Says it',
    inputSchema: {
      type: 'object',
      properties: { text: { type: 'string' } },
      required: ['text'],
    },
    outputSchema: { type: 'object', properties: { said: { type: 'string' } }, required: ['said'] },
  },
  handler: (input, { platform }) => {
    const { text } = input as { text?: unknown }
    if (typeof text !== 'string') return ToolResponse.error('text: give a text')
    const greeting = platform.variables.get('greeting') ?? ''
    return ToolResponse.structured({ said: `${greeting} ${text}` })
  },
})

const steps = createTool({
  metadata: { name: 'steps', description: 'Tells of its steps', inputSchema: { type: 'object' } },
  handler: async function* () {
    yield { progress: 1, total: 2 }
    yield { progress: 2, total: 2 }
    return 'both'
  },
})

const film = createTool({
  metadata: { name: 'film', description: 'Takes its time', inputSchema: { type: 'object' } },
  job: {
    start: () => ({ at: 1 }),
    poll: async () => ({ message: 'At it' }),
    cancel: async () => 'cancelled',
  },
})

const base = toComponent({ tools: [say, steps, film] }, 'faulty')

/** What the SDK's tools do not offer by themselves. */
async function answer(request: Request, platform: ContextPlatform): Promise<Response> {
  const { pathname, searchParams } = new URL(request.url)
  if (pathname === '/' && request.method === 'GET') {
    const offer = (await (await base.fetch(request, platform)).json()) as object
    return Response.json({
      ...offer,
      prompts: [{ name: 'review', arguments: [{ name: 'code', required: true }] }],
      resources: [{ uri: 'note://today', name: 'Today' }],
    })
  }
  if (pathname === '/prompts/review') {
    return Response.json({ messages: [{ role: 'user', content: { type: 'text', text: 'Read' } }] })
  }
  if (pathname === '/resources' && searchParams.get('uri') === 'note://today') {
    return Response.json({ contents: [{ uri: 'note://today', text: 'noted' }] })
  }
  return base.fetch(request, platform)
}

export default {
  async fetch(request: Request, platform: ContextPlatform): Promise<Response> {
    const [, fault = '', rest = ''] = /^https?:\/\/[^/]+\/([^/?]*)(.*)$/s.exec(request.url) ?? []
    const { method, headers } = request
    const body = method === 'GET' || method === 'HEAD' ? undefined : await request.text()
    // The engine takes seconds to stream a body of its own making.
    const large = (body?.length ?? 0) > 100_000
    const address = `http://faulty.spin.internal${rest}`
    const next = async () =>
      large
        ? Response.json(ToolResponse.error('That is too long.'), { status: 413 })
        : answer(new Request(address, { method, headers, body }), platform)
    const path = rest.replace(/\?.*$/s, '')
    return FAULTS[fault]?.({ method, headers, path, body: body ?? '', next, platform }) ?? next()
  },
}
