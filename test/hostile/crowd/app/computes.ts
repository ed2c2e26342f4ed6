// Tools that keep their thread, as an author might write them by mistake or on purpose.
import { createTool, createTools } from 'ftl-sdk'
import * as z from 'zod'

/** Computes for so long, without waiting for anything. */
function compute(milliseconds: number): void {
  const end = Date.now() + milliseconds
  while (Date.now() < end);
}

const loop = createTool({
  metadata: { name: 'loop', description: 'Computes without an end' },
  handler: () => {
    for (;;);
  },
})

const computes = createTool({
  metadata: {
    name: 'compute',
    description: 'Computes for a time',
    inputSchema: z.object({ milliseconds: z.number() }),
  },
  handler: ({ milliseconds }) => {
    compute(milliseconds)
    return 'computed'
  },
})

const bursts = createTool({
  metadata: {
    name: 'bursts',
    description: 'Computes again and again, and waits for a moment in between',
    inputSchema: z.object({ milliseconds: z.number(), times: z.number() }),
  },
  handler: async ({ milliseconds, times }) => {
    for (let nth = 0; nth < times; nth++) {
      compute(milliseconds)
      await new Promise((wake) => setTimeout(wake, 1))
    }
    return 'computed'
  },
})

export const tools = createTools([loop, computes, bursts])
