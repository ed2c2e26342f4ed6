import { createTool, ToolError, ToolResponse } from 'ftl-sdk'
import * as z from 'zod'
import { evaluate, ExpressionError } from './expression.ts'

export const tool = createTool({
  metadata: {
    name: 'calculator',
    title: 'Calculator',
    description:
      'Evaluates an arithmetic expression with + - * / % ^, parentheses, pi, e and the functions ' +
      'sqrt, abs, round, floor, ceil, min, max, ln, log10, sin, cos, tan.',
    version: '1.0.0',
    inputSchema: z.object({
      expression: z
        .string()
        .min(1)
        .max(1000)
        .describe('The expression, for example "2 * (3 + 4) ^ 2"'),
    }),
    outputSchema: z.object({ result: z.number() }),
    annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
  },
  handler: ({ expression }) => {
    try {
      const result = evaluate(expression)
      return ToolResponse.structured({ result }, String(result))
    } catch (error) {
      if (error instanceof ExpressionError) throw new ToolError(error.message)
      throw error
    }
  },
})
