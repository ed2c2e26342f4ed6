/**
 * The component `remote`: tools, prompts and resources of other MCP servers, over Streamable HTTP.
 *
 * Variables: `remote_servers`, JSON of the servers; empty: there are no tools. For servers where each user signs in,
 * `remote_key` and `remote_address`.
 */
import { createDynamicTools, createTool, type FeatureServer, ToolResponse } from 'ftl-sdk'
import { isFromOutside } from 'ftl-http'
import { callRemote } from './call.ts'
import { offerOf, openRemotes, targetOf } from './catalog.ts'
import { answerBrowser, CONNECT } from './consent/browser.ts'
import { problemPage } from './consent/page.ts'
import { signInTool } from './consent/sign-in-tools.ts'
import { keepCallerToken } from './exchange/caller-token.ts'
import { features } from './features.ts'
import { rehearsal } from './rehearsal.ts'

/**
 * With the pages of a sign-in, which browsers request at the public route.
 *
 * Everything else is for the gateway. The route alone does not keep others away: Spin finds it by the path as it was
 * sent, such as `/connect/%2e%2e/tool`, which a URL has as `/tool`.
 */
const withPages: FeatureServer = {
  async answer(request, path, owned) {
    const { context } = owned
    if (path.startsWith(CONNECT)) return answerBrowser(request, path, context)
    if (isFromOutside(request)) return problemPage(404, 'There is no such page.')
    keepCallerToken(context, request)
    return features.answer(request, path, owned)
  },
}

/** Of `createTool`, which uses the name in messages only. */
const LONGEST_NAME = 64

export const tools = createDynamicTools({
  rehearsal,
  features: withPages,
  list: async (context) => offerOf(await openRemotes(context)),
  async find(name, context) {
    const remotes = await openRemotes(context)
    const own = signInTool(remotes, name)
    if (own) return own
    const found = await targetOf(remotes, name)
    if (!found) return undefined
    const { server, target } = found
    return createTool({
      // The gateway has checked the arguments, and the server will. A list of an older version has longer names.
      metadata: { name: name.slice(0, LONGEST_NAME), inputSchema: { type: 'object' } },
      handler: (args) => ToolResponse.stream(callRemote(remotes, server, target, args)),
    })
  },
})
