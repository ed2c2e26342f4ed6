import { createTool } from 'ftl-sdk'
import * as z from 'zod'

export const tool = createTool({
  metadata: {
    name: 'erase',
    description: 'Erases a list, after asking the user',
    inputSchema: z.object({ list: z.string() }),
  },
  handler: async ({ list }, { elicit }) => {
    const form = z.object({ sure: z.boolean().describe('Erase it') })
    const { action, content } = await elicit(`Erase ${list}?`, form)
    return action === 'accept' && content.sure ? `Erased ${list}` : 'Nothing was erased'
  },
})
