import { createTool } from 'ftl-sdk'
import Papa from 'papaparse'
import * as z from 'zod'

export const tool = createTool({
  metadata: {
    name: 'csv',
    description: 'Adds up a column of a CSV text',
    inputSchema: z.object({ text: z.string(), column: z.string() }),
    outputSchema: z.object({ rows: z.number(), sum: z.number() }),
  },
  handler: ({ text, column }) => {
    const { data } = Papa.parse<Record<string, string>>(text, {
      header: true,
      skipEmptyLines: true,
    })
    return { rows: data.length, sum: data.reduce((sum, row) => sum + Number(row[column]), 0) }
  },
})
