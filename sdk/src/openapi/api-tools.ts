/** `apiTools`: the tools of `api.json`, which `ftl add openapi` has written. */
import type { ApiOperation, ApiPlan } from 'ftl-contract'
import type { ToolContext } from '../tool/context.ts'
import { createTool, type Tool } from '../tool/create-tool.ts'
import { createTools, type ToolSet } from '../tool/create-tools.ts'
import { credentialsFor } from './credentials.ts'
import { withDefinitions } from './definitions.ts'
import { type ApiToolsOptions, changed } from './overrides.ts'
import { requestOf } from './request.ts'
import { resultOf } from './result.ts'
import { send } from './send.ts'

const MAX_CHARACTERS = 40_000

/**
 * Serves the operations of an HTTP API as tools.
 *
 * @param plan what `api.json` has.
 * @throws {TypeError} at build time, for a file of another version, and for a change of what it does not have.
 * @example
 * import api from './api.json' with { type: 'json' }
 * export const tools = apiTools(api, { tools: { list_pets: { defaults: { limit: 20 } } } })
 */
export function apiTools(plan: { format: number }, options: ApiToolsOptions = {}): ToolSet {
  if (!isPlan(plan)) {
    throw new TypeError(
      'api.json was written by another version of ftl: write it again with "ftl add openapi --update NAME"',
    )
  }
  const shared = new Map(Object.entries(plan.schemas))
  const tools = changed(plan, options).map(({ operation, defaults, fixed }): Tool => {
    const { name, title, description, annotations, inputSchema } = operation
    return createTool({
      metadata: {
        ...{ name, description, annotations },
        ...(title !== undefined && { title }),
        inputSchema: withDefinitions(inputSchema, shared),
      },
      handler: (args: Record<string, unknown>, context) =>
        call(plan, operation, { ...defaults, ...args, ...fixed }, context, options),
    })
  })
  return createTools(tools)
}

const isPlan = (plan: { format: number }): plan is ApiPlan => plan.format === 1

async function call(
  plan: ApiPlan,
  operation: ApiOperation,
  args: Record<string, unknown>,
  { platform, fetch, variables }: ToolContext,
  { headers, maxCharacters = MAX_CHARACTERS }: ApiToolsOptions,
) {
  const credentials = credentialsFor(plan, operation.security, (name) => variables.get(name))
  const boundary = platform.randomUUID()
  const request = requestOf(plan, operation, new Map(Object.entries(args)), {
    ...{ credentials, boundary },
    ...(headers && { headers }),
  })
  const sent = await send(fetch, request)
  return resultOf(sent, operation, { credentials, maxCharacters, url: request.url })
}
