/**
 * One component with every tool, prompt and resource the conformance suite looks for. It answers the component
 * contract by hand, so that a mistake of `createTool` cannot hide one of the gateway.
 *
 * @see https://github.com/modelcontextprotocol/conformance
 */
import type { JsonSchema, Offer } from 'ftl-contract'
import { type Call, readCall, record } from './call.ts'
import { CONTENT_TOOLS } from './content-tools.ts'
import { INPUT_TOOLS } from './input-tools.ts'
import { answerInLines, LINE_TOOLS } from './line-tools.ts'
import { complete, PROMPTS } from './prompts.ts'
import { readResource, RESOURCE_TEMPLATES, RESOURCES } from './resources.ts'
import { text } from './samples.ts'
import { SCHEMA_TOOLS } from './schema-tools.ts'

const NO_ARGUMENTS: JsonSchema = { type: 'object', additionalProperties: false }

const OFFER: Offer = {
  tools: [
    ...[...Object.keys(CONTENT_TOOLS), ...Object.keys(LINE_TOOLS), ...Object.keys(INPUT_TOOLS)].map(
      (name) => ({ name, description: `Fixture ${name}`, inputSchema: NO_ARGUMENTS }),
    ),
    ...Object.entries(SCHEMA_TOOLS).map(([name, inputSchema]) => ({
      name,
      description: `Fixture ${name}`,
      inputSchema,
    })),
  ],
  prompts: Object.entries(PROMPTS).map(([name, { description, arguments: parameters }]) => ({
    name,
    description,
    ...(parameters ? { arguments: parameters } : {}),
  })),
  resources: RESOURCES,
  resourceTemplates: RESOURCE_TEMPLATES,
  completions: true,
  logging: true,
}

export default {
  async fetch(request: Request): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url)
    if (pathname === '/resources') return json(readResource(searchParams.get('uri') ?? ''))
    if (request.method === 'GET') return json(pathname === '/' ? OFFER : undefined)
    if (request.method !== 'POST') return new Response(null, { status: 405 })
    const call = await readCall(request)
    if (pathname === '/complete')
      return json(complete(String(record(call.args['argument'])['value'])))
    const [, folder, name = ''] = /^\/(prompts\/)?([^/]+)$/.exec(pathname) ?? []
    return folder ? json(own(PROMPTS, name)?.get(call)) : callTool(name, call)
  },
}

function callTool(name: string, call: Call): Response {
  const lines = own(LINE_TOOLS, name)
  if (lines) return call.listened ? answerInLines(lines, call) : json(lines.end(call))
  const asks = own(INPUT_TOOLS, name)
  if (asks) return json(asks(call))
  if (own(SCHEMA_TOOLS, name)) return json(text(JSON.stringify(call.args)))
  return json(own(CONTENT_TOOLS, name))
}

// A name such as "constructor" must not find what every object has.
function own<T>(table: Record<string, T>, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined
}

function json(body: unknown): Response {
  return body === undefined ? new Response(null, { status: 404 }) : Response.json(body)
}
