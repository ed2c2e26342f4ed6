/** Tools whose work is counted outside of the application, so that it outlives the host. */
import { createTool, type ToolContext } from 'ftl-sdk'

const path = {
  type: 'object',
  properties: { path: { type: 'string' } },
  required: ['path'],
} as const

const work = (name: string, annotations: object) =>
  createTool({
    metadata: { name, description: `Does ${name}`, inputSchema: path, annotations },
    handler: async ({ path: at }, { fetch, variables }: ToolContext) => {
      const url = `${variables.require('effects_url')}/${name}/${String(at)}`
      const response = await fetch(url, { method: 'POST' })
      return response.text()
    },
  })

export const tools = [work('append', {}), work('delete', {}), work('read', { readOnlyHint: true })]
