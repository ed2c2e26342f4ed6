// Tools with a mistake each, which only a call finds. Types look away: who writes JavaScript has none.
import { createTool, createTools, type Tool, ToolError } from 'ftl-sdk'

const made = (name: string, handler: unknown, more: object = {}): Tool =>
  createTool({ metadata: { name, ...more }, handler: handler as () => string })

const sum = {
  type: 'object',
  properties: { quotient: { type: 'number' } },
  required: ['quotient'],
}

export const tools = createTools([
  made('number', () => 42),
  made('circular', () => {
    const plate: Record<string, unknown> = {}
    plate['on'] = plate
    return plate
  }),
  made('response', () => new Response('the soup')),
  made('breaks', () => ({ quotient: 'many' }), { outputSchema: sum }),
  made('throws', () => {
    throw new Error('the cellar is locked, key 4711')
  }),
  made('env', () => process.env['API_KEY'] ?? ''),
  made('buffer', () => Buffer.from('a').toString('hex')),
  createTool({
    metadata: { name: 'relative' },
    handler: async (_, { fetch }) => (await fetch('/api')).text(),
  }),
  createTool({
    metadata: { name: 'variable' },
    handler: (_, { variables }) => variables.require('api_key'),
  }),
  createTool({
    metadata: { name: 'host' },
    handler: async (_, { fetch }) => (await fetch('https://api.example.com/x')).text(),
  }),
  made('global', async () => (await fetch('https://api.example.org/x')).text()),
  createTool({
    metadata: { name: 'neighbour' },
    handler: async (_, { callTool }) => (await callTool('open/number', {})).text,
  }),
  createTool({
    metadata: { name: 'stranger' },
    handler: async (_, { callTool }) => (await callTool('kitchen/nope', {})).text,
  }),
  createTool({
    metadata: { name: 'store' },
    handler: async (_, { kv }) => kv.getText('a').then((text) => text ?? ''),
  }),
  made('throws-object', () => {
    // eslint-disable-next-line @typescript-eslint/only-throw-error -- the mistake
    throw { code: 42 }
  }),
  made('exhausts', () => {
    const all: Uint8Array[] = []
    for (;;) all.push(new Uint8Array(2 ** 22))
  }),
  createTool({
    metadata: { name: 'refuses-late' },
    handler: (_, { progress, log }) => {
      progress({ progress: 1, total: 2 })
      log.info('half')
      throw new ToolError('too late', { kind: 'oven' })
    },
  }),
  made('settles', () => new Promise(() => {})),
  made('forever', () => {
    for (;;);
  }),
  made('slow', () => new Promise((resolve) => setTimeout(resolve, 60_000))),
  made('large', () => 'x'.repeat(9_000_000)),
  createTool({
    metadata: { name: 'behind' },
    handler: (_, { kv }) => {
      void kv.set('behind', 'written')
      return 'ok'
    },
  }),
  createTool({
    metadata: { name: 'later' },
    handler: (_, { kv }) => {
      setTimeout(() => void kv.set('later', 'written'), 50)
      return 'ok'
    },
  }),
  createTool({
    metadata: { name: 'read' },
    handler: async (_, { kv }) => ({
      behind: await kv.exists('behind'),
      later: await kv.exists('later'),
    }),
  }),
])
