/** Calls of the tools that search for others and describe them. */
import type { ClientRequest } from '../calls/client-request.ts'
import { toolsOf } from '../calls/listed-tools.ts'
import type { CatalogTool } from '../catalog/catalog.ts'
import { freshCatalog } from '../catalog/lookup.ts'
import type { Settled } from '../invoke/outcome.ts'
import { checkedArguments } from '../invoke/omitted-nulls.ts'
import { declareTools } from './declarations/declare-tools.ts'
import type { Wanted } from '../calls/search-limits.ts'
import { findTools, inDetail } from './find-tools.ts'
import { viewOf } from '../calls/tools-view.ts'
import { isCall, SEARCH, VIRTUAL_TOOLS } from './virtual-tools.ts'

/** Whether a client has these tools. It has if it asks for them, also where the full list is always given. */
export function hasVirtualTools({
  scope,
  request,
}: Pick<ClientRequest, 'scope' | 'request'>): boolean {
  const view = viewOf(request)
  if (view === 'search' || view === 'code') return true
  return scope.settings.listSettings.toolsMode !== 'off'
}

/** @returns `undefined` if the client does not have the tool. */
export async function callVirtualTool(
  client: ClientRequest,
  { name, args: given }: { name: string; args: Record<string, unknown> },
): Promise<Settled | undefined> {
  const tool = VIRTUAL_TOOLS.get(name)
  if (!tool || !hasVirtualTools(client)) return undefined
  const checked = checkedArguments(tool.description.inputSchema, given)
  if ('errors' in checked) return { kind: 'invalid-arguments', errors: checked.errors }
  const { args } = checked
  if (isCall(name)) {
    // A call that can be made was replaced by that of the tool, before it came here.
    return {
      kind: 'tool-failed',
      message: `${name} cannot call itself. Give it the name of a tool.`,
    }
  }
  return name === SEARCH ? searchTools(client, args) : describeTools(client, args)
}

async function searchTools({ gateway, scope }: ClientRequest, args: Wanted): Promise<Settled> {
  let found = await findTools(gateway, scope, args)
  if (found.matches === 0) {
    // Like a name that is not known: a component may have been changed since.
    await freshCatalog(gateway.tools, scope)
    found = await findTools(gateway, scope, args)
  }
  const { tools, matches, declarations } = found
  const shown = args.detail === 'full' ? JSON.stringify(tools) : (declarations ?? lines(tools))
  const rest = matches - tools.length
  const end = rest > 0 ? `\n${rest} more match: search with other words or a higher limit.` : ''
  const text = tools.length === 0 ? NOTHING : shown + end
  return {
    kind: 'result',
    result: { content: [{ type: 'text', text }], structuredContent: { ...found } },
  }
}

const NOTHING = 'No tool matches. Use other words, or search without a query to see all tools.'

function lines(tools: readonly { name: string; description?: string }[]): string {
  return tools.map(({ name, description = '' }) => `${name}: ${description}`).join('\n')
}

async function describeTools(
  { gateway, scope }: ClientRequest,
  args: { names?: string[]; format?: string },
): Promise<Settled> {
  const names = [...new Set(args.names)]
  const find = (tools: readonly CatalogTool[]) =>
    names.flatMap((name) => tools.find((tool) => tool.name === name) ?? [])
  let tools = find(toolsOf(await gateway.tools.known(scope)))
  if (tools.length < names.length) tools = find(toolsOf(await freshCatalog(gateway.tools, scope)))
  const unknown = names.filter((name) => !tools.some((tool) => tool.name === name))
  if (tools.length === 0) return { kind: 'tool-failed', message: missing(unknown) }
  const isJson = args.format === 'json'
  const described = tools.map((tool) => inDetail(tool, isJson ? 'full' : 'detailed'))
  const declarations = isJson ? undefined : declareTools(tools)
  const text = [
    declarations ?? JSON.stringify(described),
    ...(unknown.length > 0 ? [missing(unknown)] : []),
  ].join('\n')
  const structuredContent = {
    tools: described,
    ...(declarations !== undefined && { declarations }),
    ...(unknown.length > 0 && { unknown }),
  }
  return { kind: 'result', result: { content: [{ type: 'text', text }], structuredContent } }
}

function missing(names: readonly string[]): string {
  return `Unknown tool: ${names.join(', ')}. search_tools finds the names of tools.`
}
