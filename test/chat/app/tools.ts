// Tools that show what a chat must tell: progress, jobs, pictures, markup, failures.
import { createTool, createTools, ToolError, ToolResponse } from 'ftl-sdk'
import * as z from 'zod'

const nothing = z.object({})

/** Milliseconds between two statuses of `steps`. */
const STEP_MS = 150

const steps = createTool({
  metadata: {
    name: 'steps',
    description: 'Tells of its steps, each with the time it was made',
    inputSchema: z.object({ count: z.number().int().default(4), label: z.string().default('') }),
  },
  handler: async function* ({ count, label }, { kv }) {
    for (let step = 1; step <= count; step++) {
      await new Promise((resolve) => setTimeout(resolve, STEP_MS))
      await kv.setJson('ticks', ((await kv.getJson<number>('ticks')) ?? 0) + 1)
      yield { message: `${label}@${Date.now()}`, progress: step, total: count }
    }
    return `${label} done`
  },
})

const ticks = createTool({
  metadata: { name: 'ticks', description: 'Steps that were ever taken', inputSchema: nothing },
  handler: async (_, { kv }) => String((await kv.getJson<number>('ticks')) ?? 0),
})

// One pixel.
const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

const picture = createTool({
  metadata: { name: 'picture', description: 'Gives a picture', inputSchema: nothing },
  handler: () => ToolResponse.image(PNG, 'image/png'),
})

const table = createTool({
  metadata: { name: 'table', description: 'Gives a text as a file', inputSchema: nothing },
  handler: () =>
    ToolResponse.resource({ uri: 'file:///t.csv', mimeType: 'text/csv', text: 'é\ud83c' }),
})

const html = createTool({
  metadata: { name: 'html', description: 'Gives markup', inputSchema: nothing },
  handler: () => '<script>alert(1)</script><b>bold</b> 🎨',
})

const refuses = createTool({
  metadata: { name: 'refuses', description: 'Says no', inputSchema: nothing },
  handler: () => {
    throw new ToolError('Not today.')
  },
})

const crashes = createTool({
  metadata: { name: 'crashes', description: 'Fails', inputSchema: nothing },
  handler: () => {
    throw new Error('a secret of the tool')
  },
})

interface Work {
  ends: number
  milliseconds: number
  label: string
}

const long = createTool({
  metadata: {
    name: 'long_work',
    description: 'Takes its time, as a job',
    inputSchema: z.object({
      milliseconds: z.number().default(1_000),
      label: z.string().default(''),
    }),
  },
  job: {
    start: async ({ milliseconds, label }): Promise<Work> => ({
      ends: Date.now() + milliseconds,
      milliseconds,
      label,
    }),
    poll: async (work: Work | undefined) => {
      if (!work) return 'lost'
      const left = work.ends - Date.now()
      if (left <= 0) return { result: ToolResponse.text(`${work.label} finished`) }
      const value = Math.max(0, Math.round(100 * (1 - left / work.milliseconds)))
      return {
        message: `${work.label} at ${value} %`,
        progress: { value, total: 100 },
        pollIntervalMs: 100,
      }
    },
    cancel: async () => 'cancelled',
  },
})

export const tools = createTools([steps, ticks, picture, table, html, refuses, crashes, long])
