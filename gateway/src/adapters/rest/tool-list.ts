/** `GET /tools`: lists the tools in the format that the client requests. */
import type { ToolDescription } from 'ftl-contract'
import { describedEntry, listedEntry, toolsOf } from '../../calls/listed-tools.ts'
import type { Catalog, CatalogTool } from '../../catalog/catalog.ts'
import { reportsMeta } from '../../catalog/report.ts'
import { functionName } from './function-names.ts'
import { badRequest } from './refusal.ts'

/** A tool under the name clients use, always with a description, because models choose tools by it. */
export function describedTool(entry: CatalogTool): ToolDescription & { description: string } {
  const tool = describedEntry(entry) as ToolDescription
  return { ...tool, description: tool.description ?? tool.title ?? tool.name }
}

type Format = (catalog: Catalog) => object

// A Map, because the name comes from the client and a plain object inherits names such as `constructor`.
const FORMATS: ReadonlyMap<string, Format> = new Map<string, Format>([
  ['native', (catalog) => withReports(catalog, toolsOf(catalog).map(describedTool))],
  // The result of `tools/list`.
  ['mcp', (catalog) => withReports(catalog, toolsOf(catalog).map(listedEntry))],
  ['openai', (catalog) => withReports(catalog, toolsOf(catalog).map(openAiTool))],
  ['chat', chatFormat],
])

/** @throws {Refusal} */
export function formatOf({ url }: Request): Format {
  const format = FORMATS.get(new URL(url).searchParams.get('format') ?? 'native')
  if (format) return format
  throw badRequest(`format must be one of ${[...FORMATS.keys()].join(', ')}.`, 'format')
}

/** A list that lacks tools of a component has the reason in `_meta`, as `tools/list` has. */
function withReports(catalog: Catalog, tools: object[]): object {
  return { tools, _meta: reportsMeta(catalog) }
}

/** OpenAI's format with the component of each tool; without job tools, because the chat component follows jobs. */
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
