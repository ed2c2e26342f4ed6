// Loads all tools of a gateway as one framework does, calls some, and prints what a model would get: one line of JSON.
// node ask.mjs FRAMEWORK ADDRESS CALLS, where CALLS is the JSON of a list of [name, arguments].
const [framework, address, calls] = process.argv.slice(2)
const seen = { loaded: [], results: {} }

async function callEach(names, call) {
  seen.loaded = [...names].sort()
  for (const [name, args] of JSON.parse(calls)) {
    try {
      const value = await call(name, args)
      const text = typeof value === 'string' ? value : JSON.stringify(value)
      seen.results[name] = { text: String(text).slice(0, 4000) }
    } catch (error) {
      seen.results[name] = { error: String(error).slice(0, 400) }
    }
  }
}

const FRAMEWORKS = {
  async 'ai-sdk'() {
    const { createMCPClient } = await import('@ai-sdk/mcp')
    const client = await createMCPClient({ transport: { type: 'http', url: address } })
    const tools = await client.tools()
    await callEach(Object.keys(tools), async (name, args) => {
      const tool = tools[name]
      const output = await tool.execute(args, { toolCallId: '1', messages: [] })
      return tool.toModelOutput
        ? tool.toModelOutput({ toolCallId: '1', input: args, output })
        : output
    })
    await client.close()
  },

  async mastra() {
    const { MCPClient } = await import('@mastra/mcp')
    const client = new MCPClient({ servers: { ftl: { url: new URL(address) } } })
    const listed = await client.listTools()
    const tools = Object.fromEntries(
      Object.entries(listed).map(([name, tool]) => [name.replace(/^ftl_/, ''), tool]),
    )
    await callEach(Object.keys(tools), async (name, args) => {
      const output = await tools[name].execute(args, {})
      return tools[name].toModelOutput ? tools[name].toModelOutput(output) : output
    })
    await client.disconnect()
  },

  async 'langchain-js'() {
    const { MultiServerMCPClient } = await import('@langchain/mcp-adapters')
    const client = new MultiServerMCPClient({
      mcpServers: { ftl: { transport: 'http', url: address } },
    })
    const tools = Object.fromEntries((await client.getTools()).map((tool) => [tool.name, tool]))
    await callEach(Object.keys(tools), (name, args) => tools[name].invoke(args))
    await client.close()
  },

  async 'mcp-use-js'() {
    const { MCPClient } = await import('mcp-use')
    const client = MCPClient.fromDict({ mcpServers: { ftl: { url: address } } })
    const session = await client.createSession('ftl')
    const tools = await session.listTools()
    await callEach(
      tools.map(({ name }) => name),
      (name, args) => session.callTool(name, args),
    )
    await client.closeAllSessions()
  },
}

try {
  await FRAMEWORKS[framework]()
} catch (error) {
  seen.failed = String(error?.stack ?? error).slice(0, 400)
}
process.stdout.write(`\n${JSON.stringify(seen)}\n`, () => process.exit())
