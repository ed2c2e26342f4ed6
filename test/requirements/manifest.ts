import type { Rule } from './rule.ts'
import { headers } from './rules/headers.ts'
import { jsonRpc } from './rules/json-rpc.ts'
import { caching, pagination } from './rules/lists.ts'
import { meta } from './rules/meta.ts'
import { mrtr } from './rules/mrtr.ts'
import { logging, progress, subscriptions } from './rules/notifications.ts'
import { completion, prompts } from './rules/prompts.ts'
import { reference } from './rules/reference.ts'
import { resources } from './rules/resources.ts'
import { schemas } from './rules/schemas.ts'
import { tools } from './rules/tools.ts'
import { transport } from './rules/transport.ts'
import { versioning } from './rules/versioning.ts'

/**
 * Every rule a stateless MCP server has to keep, and what this gateway promises beside the specification. Rules for
 * clients, sessions and streams that a server may do without are not in it.
 */
export const RULES: readonly Rule[] = [
  ...jsonRpc,
  ...meta,
  ...transport,
  ...headers,
  ...versioning,
  ...schemas,
  ...tools,
  ...prompts,
  ...completion,
  ...resources,
  ...pagination,
  ...caching,
  ...progress,
  ...logging,
  ...subscriptions,
  ...mrtr,
  ...reference,
]
