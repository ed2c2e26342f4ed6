import { createTool } from 'ftl-sdk'
import { marked } from 'marked'
import * as z from 'zod'

export const tool = createTool({
  metadata: {
    name: 'markdown',
    description: 'Renders Markdown as HTML',
    inputSchema: z.object({ text: z.string() }),
  },
  handler: ({ text }) => marked.parse(text, { async: false }),
})
