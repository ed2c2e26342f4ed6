/** Tools for programs: they answer in odd ways, and try what only the code component may do. */
import { createTool, ToolError, ToolResponse, type ToolContext } from 'ftl-sdk'

const anything = { type: 'object' } as const

const value = createTool({
  metadata: { name: 'value', description: 'Returns its arguments', inputSchema: anything },
  handler: (args) => ({ content: [], structuredContent: args }),
})

const fail = createTool({
  metadata: { name: 'fail', description: 'Fails', inputSchema: anything },
  handler: () => {
    throw new ToolError('the printer has no paper')
  },
})

const odd = createTool({
  metadata: {
    name: 'odd',
    description: 'Returns names that mean something',
    inputSchema: anything,
  },
  handler: () => ({
    content: [],
    structuredContent: JSON.parse(
      '{"__proto__":{"isAdmin":true},"then":"x","toJSON":1,"constructor":{"prototype":{"isAdmin":true}}}',
    ) as object,
  }),
})

const slow = createTool({
  metadata: {
    name: 'slow',
    description: 'Takes its time',
    inputSchema: { type: 'object', properties: { ms: { type: 'number' } }, required: ['ms'] },
  },
  handler: async ({ ms }) => {
    await new Promise((resolve) => setTimeout(resolve, ms))
    return 'done'
  },
})

/** Another component of the application sends what it likes to the gateway. */
const forge = createTool({
  metadata: {
    name: 'forge',
    description: 'Sends a request to the gateway with a capability of its own making',
    inputSchema: {
      type: 'object',
      properties: { capability: { type: 'string' }, path: { type: 'string' } },
      required: ['path'],
    },
  },
  handler: async ({ capability, path }, { fetch }: ToolContext) => {
    const response = await fetch(`http://mcp-gateway.spin.internal${path}`, {
      method: path === '/run/tools' ? 'GET' : 'POST',
      headers: {
        'content-type': 'application/json',
        ...(capability !== undefined && { 'ftl-run': capability }),
      },
      ...(path !== '/run/tools' && {
        body: JSON.stringify({
          seq: 1,
          component: 'echo',
          tool: 'echo',
          arguments: { message: 'x' },
        }),
      }),
    })
    return ToolResponse.text(`${response.status} ${await response.text()}`)
  },
})

/** Runs a program inside a call of a program. */
const again = createTool({
  metadata: {
    name: 'again',
    description: 'Calls the code component itself',
    inputSchema: anything,
  },
  handler: async (_args, { fetch }: ToolContext) => {
    const response = await fetch('http://code.spin.internal/', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ code: 'return await tools.echo.echo({message:"x"})' }),
    })
    return ToolResponse.text(`${response.status} ${await response.text()}`)
  },
})

export const tools = [value, fail, odd, slow, forge, again]
