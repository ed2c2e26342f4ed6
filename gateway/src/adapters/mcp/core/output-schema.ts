/**
 * The `outputSchema` in the list of tools. Official clients check `structuredContent` against it and lose the whole
 * result if it does not fit.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/tools#output-schema
 */
import type { JsonSchema } from 'ftl-contract'

/** Describes the `structuredContent` of a job's handle. See `jobHandle`. */
const HANDLE: JsonSchema = {
  type: 'object',
  description: 'The tool is still working: call get_job with this job_id for its result.',
  properties: {
    job_id: { type: 'string' },
    status: { type: 'string' },
    status_url: { type: 'string' },
    poll_interval_ms: { type: 'number' },
    expires_at: { type: 'string' },
    progress: { type: 'object' },
  },
  required: ['job_id', 'status', 'status_url'],
}

/**
 * The schema of a tool whose call may be answered with a job's handle.
 *
 * @param name the tool's, in the list.
 */
export function withHandle({ $schema, ...own }: JsonSchema, name: string): JsonSchema {
  // An id of its own: references such as `#/$defs/size` are then still looked up inside it.
  const base = !('$id' in own) && JSON.stringify(own).includes('"$ref"')
  const result = base ? { $id: `urn:ftl:output:${encodeURIComponent(name)}`, ...own } : own
  return {
    ...($schema !== undefined && { $schema }),
    ...(own.type === 'object' && { type: 'object' }),
    anyOf: [result, HANDLE],
  }
}
