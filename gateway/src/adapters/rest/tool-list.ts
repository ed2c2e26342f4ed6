/** `GET /tools`: lists the tools in the format that the client requests. */
import { functionName, isObject, type ToolDescription } from 'ftl-contract'
import { addressOf } from 'ftl-http'
import { wrongOption } from '../../client-traits.ts'
import { describedEntry, listedEntry, simpleEntries } from '../../catalog/listed-entry.ts'
import type { CatalogTool } from '../../catalog/catalog.ts'
import type { Gateway } from '../../gateway.ts'
import type { Scope } from '../../scope.ts'
import { toolList } from '../../calls/tool-list.ts'
import { VIEW_PROBLEM, viewOf } from '../../calls/tools-view.ts'
import { badRequest } from '../../calls/rest-error.ts'

/** A tool under the name clients use, always with a description, because models choose tools by it. */
export function describedTool(entry: CatalogTool): ToolDescription & { description: string } {
  const tool = describedEntry(entry) as ToolDescription
  return { ...tool, description: tool.description ?? tool.title ?? tool.name }
}

type Form = (tool: CatalogTool) => object

// A Map, because the name comes from the client and a plain object inherits names such as `constructor`.
const FORMATS: ReadonlyMap<string, Form> = new Map<string, Form>([
  ['native', describedTool],
  // The result of `tools/list`.
  ['mcp', listedEntry],
  ['openai', openAiTool],
  ['chat', openAiTool],
])

/**
 * Only a list for a model is short: the native one is for programs and pages, and has all tools unless the client asks
 * otherwise.
 *
 * @throws {Refusal}
 */
export async function listedTools(
  gateway: Gateway,
  scope: Scope,
  request: Request,
): Promise<object> {
  const parameters = addressOf(request).searchParams
  const format = parameters.get('format') ?? 'native'
  const known = FORMATS.get(format)
  if (!known) throw badRequest(`format must be one of ${[...FORMATS.keys()].join(', ')}.`, 'format')
  const wrong = wrongOption(request)
  if (wrong) throw badRequest(`${wrong.reason}.`, wrong.field)
  const isSimple = parameters.get('schemas') === 'simple'
  const simple = isSimple ? simpleEntries() : undefined
  const form: Form = simple ? (tool) => known(simple(tool)) : known
  const view = viewOf(request)
  if (view === 'invalid') throw badRequest(`${VIEW_PROBLEM}.`, 'tools')
  const found = scope.hooks.foundTools(
    gateway,
    scope,
    parameters,
    format === 'native' && !isSimple ? undefined : form,
  )
  if (found) return found
  const fallback = format === 'native' ? 'all' : undefined
  const { tools, reports, catalog, isShort } = await toolList(gateway, scope, request, fallback)
  // A list that lacks tools of a component has the reason in `_meta`, as `tools/list` has.
  if (format !== 'chat') return { tools: tools.map(form), _meta: reports }
  const all = (catalog ?? (await gateway.tools.list(scope))).tools
  const listed = isShort ? tools.filter(({ name }) => !JOB_TOOLS.has(name)) : all
  return chatList(listed.filter(isForModels), all)
}

/** Not one that only the apps of its component may call. */
function isForModels({ description }: CatalogTool): boolean {
  const { ui } = description._meta ?? {}
  const visibility = isObject(ui) ? ui.visibility : undefined
  return !Array.isArray(visibility) || visibility.includes('model')
}

/** The chat component follows jobs itself. */
const JOB_TOOLS = new Set(['get_job', 'cancel_job'])

/** OpenAI's format with the component of each tool, also of those that are not listed. */
function chatList(tools: readonly CatalogTool[], all: readonly CatalogTool[]): object {
  const owner = ({ name, component }: CatalogTool) => [functionName(name), { name, component }]
  const owned = [...tools.filter(({ component }) => component === ''), ...all]
  return { tools: tools.map(openAiTool), owners: Object.fromEntries(owned.map(owner)) as object }
}

function openAiTool(entry: CatalogTool): object {
  const { name, description, inputSchema } = describedTool(entry)
  return {
    type: 'function',
    function: { name: functionName(name), description, parameters: inputSchema },
  }
}
