/** The same offers on the official SDK's server. */
import {
  type CallToolResult,
  completable,
  createMcpHandler,
  fromJsonSchema,
  inputRequired,
  McpServer,
  ResourceTemplate,
} from '@modelcontextprotocol/server'
import type { ToolDescription, ToolResult } from 'ftl-contract'
import * as z from 'zod'
import {
  ASKING_TOOL,
  contentsOf,
  greeting,
  LOG,
  PLAIN_TOOLS,
  PROGRESS,
  PROMPT,
  promptMessages,
  QUESTION,
  RESOURCE,
  startingWith,
  TEMPLATE,
  text,
  WORKING_TOOL,
} from './offers.ts'

/** Stateless, both eras. A new server answers each request, as the SDK wants it. */
export function officialHandler({ toolsOnly = false } = {}): (
  request: Request,
) => Promise<Response> {
  const handler = createMcpHandler(toolsOnly ? createToolsOnly : createServer)
  return (request) => handler.fetch(request)
}

function createServer(): McpServer {
  const server = new McpServer(
    { name: 'official', version: '1.0.0' },
    { capabilities: { logging: {} } },
  )
  for (const { description, run } of PLAIN_TOOLS) {
    server.registerTool(description.name, configOf(description), (args) => sent(run(args)))
  }
  registerWorkingTool(server)
  server.registerTool(ASKING_TOOL.name, configOf(ASKING_TOOL), (_args, { mcpReq }) => {
    const answer = greeting(mcpReq.inputResponses)
    if (answer) return sent(answer)
    const { message, requestedSchema } = QUESTION.params
    const properties = { name: { type: 'string' as const } }
    const schema = { ...requestedSchema, properties, required: ['name'] }
    const who = inputRequired.elicit({ message, requestedSchema: schema })
    return inputRequired({ inputRequests: { who } })
  })
  const argsSchema = z.object({
    name: completable(z.string().describe('Whom'), startingWith),
  })
  const { name, description } = PROMPT
  server.registerPrompt(name, { description, argsSchema }, promptMessages)
  registerResources(server)
  return server
}

function createToolsOnly(): McpServer {
  const server = new McpServer({ name: 'official', version: '1.0.0' })
  const { description, run } = PLAIN_TOOLS[0]!
  server.registerTool(description.name, configOf(description), (args) => sent(run(args)))
  return server
}

function registerWorkingTool(server: McpServer): void {
  server.registerTool(WORKING_TOOL.name, configOf(WORKING_TOOL), async (_args, { mcpReq }) => {
    const progressToken = mcpReq._meta?.progressToken
    for (const status of progressToken === undefined ? [] : PROGRESS) {
      const params = { progressToken: progressToken as string | number, ...status }
      await mcpReq.notify({ method: 'notifications/progress', params })
    }
    await mcpReq.log(LOG.level, LOG.data, LOG.logger)
    return sent(text('worked'))
  })
}

function registerResources(server: McpServer): void {
  const { uri, name, ...rest } = RESOURCE
  server.registerResource(name, uri, rest, () => contentsOf(uri))
  const complete = { id: startingWith }
  const template = new ResourceTemplate(TEMPLATE.uriTemplate, { list: undefined, complete })
  const { description, mimeType } = TEMPLATE
  server.registerResource(TEMPLATE.name, template, { description, mimeType }, ({ href }) =>
    contentsOf(href),
  )
}

function configOf({ title, description, inputSchema, outputSchema, annotations }: ToolDescription) {
  const schemaOf = (schema: object) => fromJsonSchema<Record<string, unknown>>(schema)
  return {
    title,
    description,
    annotations,
    inputSchema: schemaOf(inputSchema),
    ...(outputSchema && { outputSchema: schemaOf(outputSchema) }),
  }
}

/** Both packages describe the same JSON, each in its own types. */
function sent(result: ToolResult): CallToolResult {
  return result as CallToolResult
}
