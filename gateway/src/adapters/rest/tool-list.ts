/**
 * `GET /tools`: what there is to call, in the words of whoever asks.
 *
 * @module
 */
import type { ToolDescription } from 'ftl-sdk/contract'
import type { Catalog, CatalogTool } from '../../catalog/catalog.ts'
import { COMPONENTS_META_KEY, troubles } from '../../catalog/report.ts'
import { JOB_TOOLS } from '../mcp/core/job-tools.ts'
import { worded } from '../mcp/core/list.ts'
import { functionName } from './function-names.ts'
import { badRequest } from './refusal.ts'

/** All tools, and those for jobs where some component starts any. */
export function toolsOf({ tools, jobs }: Catalog): CatalogTool[] {
  return jobs ? [...tools, ...JOB_TOOLS] : tools
}

/** Under the name clients use, and with a description: a model chooses by it. */
export function describedTool(entry: CatalogTool): ToolDescription & { description: string } {
  const tool = worded(entry) as ToolDescription
  return { ...tool, description: tool.description ?? tool.title ?? tool.name }
}

type Format = (catalog: Catalog) => object

// A Map, because the name comes from the client and an object has names of its own.
const FORMATS: ReadonlyMap<string, Format> = new Map<string, Format>([
  ['native', (catalog) => ({ tools: toolsOf(catalog).map(describedTool) })],
  ['mcp', mcpFormat],
  ['openai', (catalog) => ({ tools: toolsOf(catalog).map(openAiTool) })],
  ['chat', chatFormat],
])

/** @throws {Refusal} */
export function formatOf({ url }: Request): Format {
  const format = FORMATS.get(new URL(url).searchParams.get('format') ?? 'native')
  if (format) return format
  throw badRequest(`format must be one of ${[...FORMATS.keys()].join(', ')}.`, 'format')
}

/** The result of `tools/list`. */
function mcpFormat(catalog: Catalog): object {
  const unwell = troubles(catalog)
  return {
    tools: toolsOf(catalog).map(worded),
    ...(unwell.length > 0 && { _meta: { [COMPONENTS_META_KEY]: unwell } }),
  }
}

/** OpenAI's, and of each whose it is; without the tools for jobs, because who chats has its jobs followed. */
function chatFormat({ tools }: Catalog): object {
  const owner = ({ name, component }: CatalogTool) => [functionName(name), { name, component }]
  return { tools: tools.map(openAiTool), owners: Object.fromEntries(tools.map(owner)) as object }
}

function openAiTool(entry: CatalogTool): object {
  const { name, description, inputSchema } = describedTool(entry)
  return {
    type: 'function',
    function: { name: functionName(name), description, parameters: inputSchema },
  }
}
