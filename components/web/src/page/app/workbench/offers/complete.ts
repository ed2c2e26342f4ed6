/** Suggestions of a server for an argument of a prompt or a variable of a template. Tools have none in MCP. */
import type { Complete } from '../../form/form-context.ts'
import { asArray, asRecord } from '../../net/api.ts'
import { connections, mcp } from '../mcp/connection.ts'
import type { Server } from '../servers/known-servers.ts'

export type Ref = { type: 'ref/prompt'; name: string } | { type: 'ref/resource'; uri: string }

const PATIENCE_MS = 10_000
/** Of one answer, as the protocol says. */
const MOST = 100
const LONGEST = 1_000

/** @returns `undefined` if the server offers none. @param known the other values of the form. */
export function completerOf(
  server: Server,
  ref: Ref,
  known: () => Readonly<Record<string, unknown>>,
): Complete | undefined {
  const connection = connections.get().get(server.id)
  const isOffered =
    connection?.state === 'open' && connection.facts.capabilities['completions'] !== undefined
  if (!isOffered) return undefined
  return async (name, typed, signal) => {
    const client = await mcp(server)
    const others = Object.entries(known()).filter(
      ([key, value]) => key !== name && typeof value === 'string',
    )
    const result = await client.request(
      'completion/complete',
      {
        ref,
        argument: { name, value: typed },
        ...(others.length > 0 && { context: { arguments: Object.fromEntries(others) } }),
      },
      { signal, timeoutMs: PATIENCE_MS },
    )
    const values = asArray(asRecord(result['completion'])['values'])
    return [...new Set(values)]
      .filter((value): value is string => typeof value === 'string' && value.length <= LONGEST)
      .slice(0, MOST)
  }
}
