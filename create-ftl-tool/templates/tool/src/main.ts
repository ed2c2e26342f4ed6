import { createTool } from 'ftl-sdk'
import * as z from 'zod'

export const tool = createTool({
  metadata: {
    name: 'template_name',
    description: 'Greets somebody by name',
    inputSchema: z.object({
      name: z.string().min(1).describe('Whom to greet'),
    }),
  },
  handler: ({ name }) => `Hello, ${name}!`,
})
