// A component that uses everything a context offers, with prompts and resources beside its tools.
import { createPrompt, createResource, createTool, createTools } from 'ftl-sdk'
import type { tool as stock } from './pantry.ts'

const steps = (context: { progress: (news: object) => void }, from: number, to: number) => {
  for (let progress = from; progress <= to; progress++) {
    context.progress({ message: `Step ${progress}`, progress, total: 3 })
  }
}
const pause = () => new Promise((resolve) => setTimeout(resolve, 20))

const cook = createTool({
  metadata: {
    name: 'cook',
    inputSchema: { type: 'object', properties: { silent: { type: 'boolean' } } },
  },
  handler: async ({ silent }, context) => {
    const { log } = context
    if (silent) return 'said nothing'
    steps(context, 1, 1)
    await pause()
    log.info({ heat: 180 })
    steps(context, 2, 3)
    // Not greater than the last: only the message is sent.
    context.progress({ message: 'Tasting', progress: 1 })
    await pause()
    return { dish: 'soup' }
  },
})

const burn = createTool({
  metadata: { name: 'burn' },
  handler: async (_, { progress }) => {
    progress('Heating')
    await pause()
    throw new Error('secret recipe')
  },
})

const count = createTool({
  metadata: { name: 'count' },
  handler: async (_, { kv, variables }) => {
    const times = ((await kv.getJson<number>('times')) ?? 0) + 1
    await kv.setJson('times', times)
    return { times, unit: variables.require('unit'), text: await kv.getText('times') }
  },
})

const ask = createTool({
  metadata: {
    name: 'ask',
    inputSchema: {
      type: 'object',
      properties: { what: { type: 'string' } },
      required: ['what'],
    },
  },
  handler: async ({ what }, { callTool }) => {
    const { structuredContent } = await callTool<typeof stock>('pantry', { what })
    return structuredContent
  },
})

const recipe = createPrompt({
  metadata: {
    name: 'recipe',
    description: 'Asks for a recipe',
    arguments: {
      dish: { required: true, complete: ['soup', 'salad', 'stew'] },
      people: {
        complete: (value, { arguments: { dish } }) => [`${value} for ${dish ?? 'anything'}`],
      },
    },
  },
  handler: ({ dish, people = 'two' }) => `How do I make ${dish} for ${people}?`,
})

const menu = createResource({
  metadata: { uri: 'menu://today', name: 'Today', mimeType: 'text/plain' },
  handler: () => 'soup',
})

const dishes = createResource({
  metadata: {
    uriTemplate: 'dish://{name}',
    name: 'A dish',
    mimeType: 'application/json',
    complete: { name: ['soup', 'salad'] },
  },
  handler: ({ name }) => (name === 'nothing' ? undefined : { name }),
})

const photo = createResource({
  metadata: { uri: 'menu://photo', name: 'A photo', mimeType: 'image/png' },
  handler: () => new Uint8Array([1, 2, 3]),
})

export const tools = createTools([cook, burn, count, ask], { logging: true })
export const prompts = [recipe]
export const resources = [dishes, menu, photo]
