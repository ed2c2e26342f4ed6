import * as cheerio from 'cheerio'
import { createTool, ToolError } from 'ftl-sdk'
import * as z from 'zod'

export const tool = createTool({
  metadata: {
    name: 'scrape',
    description: 'Lists the headlines of a page',
    inputSchema: z.object({ url: z.url() }),
  },
  handler: async ({ url }, { fetch }) => {
    const response = await fetch(url)
    if (!response.ok) throw new ToolError(`The page answered ${response.status}`)
    const $ = cheerio.load(await response.text())
    return $('h2')
      .map((_, each) => $(each).text())
      .get()
      .join(', ')
  },
})
