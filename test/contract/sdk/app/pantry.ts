// One tool, called by another component: says who asked and how long it may take.
import { createTool, ToolError } from 'ftl-sdk'

export const tool = createTool({
  metadata: {
    name: 'stock',
    inputSchema: {
      type: 'object',
      properties: { what: { type: 'string' } },
      required: ['what'],
      additionalProperties: false,
    },
    outputSchema: {
      type: 'object',
      properties: {
        grams: { type: 'number' },
        asker: { type: 'string' },
        deadline: { type: 'number' },
        trace: { type: 'string' },
      },
      required: ['grams'],
    },
  },
  handler: ({ what }, { principal, deadline, trace }) => {
    if (what === 'snow') throw new ToolError('snow does not keep')
    return {
      grams: what.length,
      asker: principal ?? 'nobody',
      deadline,
      trace: trace?.['traceparent'] ?? '',
    }
  },
})
