/**
 * The component `remote`: tools, prompts and resources of other MCP servers, over Streamable HTTP.
 *
 * Variables: `remote_servers`, JSON of the servers; empty: there are no tools.
 */
import { createDynamicTools, createTool, ToolResponse } from 'ftl-sdk'
import { callRemote } from './call.ts'
import { offerOf, openRemotes, targetOf } from './catalog.ts'
import { features } from './features.ts'
import { rehearsal } from './rehearsal.ts'

export const tools = createDynamicTools({
  rehearsal,
  features,
  list: async (context) => offerOf(await openRemotes(context)),
  async find(name, context) {
    const remotes = await openRemotes(context)
    const found = await targetOf(remotes, name)
    if (!found) return undefined
    const { server, target } = found
    return createTool({
      // The gateway has checked the arguments, and the server will.
      metadata: { name, inputSchema: { type: 'object' } },
      handler: (args) => ToolResponse.stream(callRemote(remotes, server, target, args)),
    })
  },
})
