// A component that uses all that the test kit offers, for the tests that run the same way in both.
import { createTool, createTools, ToolError, ToolResponse } from 'ftl-sdk'
import * as z from 'zod'

const empty = z.object({})

const weather = createTool({
  metadata: { name: 'weather', inputSchema: z.object({ city: z.string().min(2) }) },
  handler: async ({ city }, { fetch, variables, platform }) => {
    const response = await fetch(`https://api.weather.example/now?city=${city}`, {
      headers: { 'x-key': variables.require('key') },
    })
    if (!response.ok)
      throw new ToolError(`refused: ${response.status}`, { status: response.status })
    const { temperature } = (await response.json()) as { temperature: number }
    return ToolResponse.text(
      `${temperature} in ${city} at ${new Date(platform.now()).toISOString()}`,
    )
  },
})

const order = createTool({
  metadata: { name: 'order', inputSchema: empty },
  handler: async (_, { fetch, platform }) => {
    const id = platform.randomUUID()
    const response = await fetch('https://shop.example/orders', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ id }),
    })
    return ToolResponse.text(`${response.status} ${await response.text()}`)
  },
})

const count = createTool({
  metadata: { name: 'count', inputSchema: empty },
  handler: async (_, { kv, platform }) => {
    const total = ((await kv.getJson<number>('total')) ?? 0) + 1
    await kv.setJson('total', total)
    const other = await platform.openKeyValue('other')
    await other.delete('old')
    return ToolResponse.text(String(total))
  },
})

const files = createTool({
  metadata: { name: 'files', inputSchema: empty },
  handler: async (_, { platform }) => {
    const bytes = await platform.files.read('/config/styles/plain.json')
    const names = await platform.files.list('/config')
    return ToolResponse.text(`${new TextDecoder().decode(bytes)} ${names.join(',')}`)
  },
})

const steps = createTool({
  metadata: { name: 'steps', inputSchema: z.object({ fail: z.boolean() }) },
  handler: async ({ fail }, { progress, log }) => {
    progress({ progress: 1, total: 2, message: 'half' })
    log.info({ at: 'half' })
    if (fail) throw new ToolError('no more', { code: 7 })
    return ToolResponse.text('done')
  },
})

const broken = createTool({
  metadata: { name: 'broken', inputSchema: empty },
  handler: () => {
    console.log('before')
    throw new RangeError('beyond the end')
  },
})

const ask = createTool({
  metadata: { name: 'ask', inputSchema: empty },
  handler: async (_, { elicit, principal }) => {
    const { action, content } = await elicit('Which size?', z.object({ size: z.enum(['s', 'm']) }))
    return ToolResponse.text(`${principal}: ${action} ${content?.size}`)
  },
})

const later = createTool({
  metadata: { name: 'later', inputSchema: z.object({ fail: z.boolean() }) },
  handler: ({ fail }, { platform, kv }) => {
    const work = async () => {
      await new Promise((resolve) => setTimeout(resolve, 300))
      if (fail) throw new TypeError('could not be written')
      await kv.setJson('later', true)
    }
    platform.waitUntil(work())
    return ToolResponse.text('soon')
  },
})

const neighbour = createTool({
  metadata: { name: 'neighbour', inputSchema: empty },
  handler: async (_, { callTool }) => {
    const { text } = await callTool('shout', { text: 'hello' })
    return ToolResponse.text(text)
  },
})

const boil = createTool({
  metadata: { name: 'boil', inputSchema: z.object({ seconds: z.int() }) },
  job: {
    start: ({ seconds }, { platform }) => ({ endsAt: platform.now() + seconds * 1000 }),
    async poll(work: { endsAt: number } | undefined, { platform }) {
      if (!work) return 'lost'
      const left = Math.ceil((work.endsAt - platform.now()) / 1000)
      return left <= 0 ? { result: ToolResponse.text('boiled') } : { progress: { value: -left } }
    },
    cancel: async () => 'cancelled',
  },
})

const settles = createTool({
  metadata: { name: 'settles' },
  handler: () => new Promise<string>(() => {}),
})

const get = createTool({
  metadata: { name: 'get', inputSchema: z.object({ url: z.string() }) },
  handler: async ({ url }, { fetch }) => {
    const response = await fetch(url)
    return ToolResponse.text(`${response.status} ${await response.text()}`)
  },
})

const rejects = createTool({
  metadata: { name: 'rejects' },
  handler: () => {
    void Promise.reject(new SyntaxError('nothing handles this'))
    return 'ok'
  },
})

export const tools = createTools([
  ...[
    weather,
    order,
    count,
    files,
    steps,
    broken,
    ask,
    later,
    neighbour,
    boil,
    settles,
    rejects,
    get,
  ],
])
