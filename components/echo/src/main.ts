import { createTool, ToolResponse } from 'ftl-sdk'
import * as z from 'zod'

export const tool = createTool({
  metadata: {
    name: 'echo',
    title: 'Echo',
    description: 'Returns the message it is given, to check that a client reaches the gateway.',
    version: '1.0.0',
    inputSchema: z.object({
      message: z.string().describe('The text to return'),
    }),
    annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
  },
  handler: async ({ message }) => ToolResponse.text(message),
})
