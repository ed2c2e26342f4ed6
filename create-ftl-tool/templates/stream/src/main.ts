import { createTool } from 'ftl-sdk'
import * as z from 'zod'

export const tool = createTool({
  metadata: {
    name: 'template_name',
    description: 'Reads a text aloud, word by word',
    inputSchema: z.object({
      words: z.string().min(1).describe('What to read'),
    }),
  },
  // Each yield reaches the client at once; a client that does not listen gets the result alone.
  handler: async function* ({ words }) {
    const all = words.trim().split(/\s+/)
    for (const [index, word] of all.entries()) {
      yield { message: word, progress: index + 1, total: all.length }
    }
    return `Read ${all.length} words`
  },
})
