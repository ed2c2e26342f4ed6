/** Failures of the service, as opposed to wrong arguments: they end a job, not a call. */
import { ComfyError } from 'ftl-comfyui/client'
import type { JobRecord } from 'ftl-contract'
import type { Field } from './config-schema.ts'
import type { Targets } from './workflow/targets.ts'

/** JSON-RPC error code of a job that failed. */
const SERVICE_ERROR = -32000

/** Its message is shown to the client. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError'
  readonly data: Record<string, unknown> | undefined
  constructor(message: string, data?: Record<string, unknown>) {
    super(message)
    this.data = data
  }
}

export function toJobError({ message, data }: ServiceError): NonNullable<JobRecord['error']> {
  return {
    code: SERVICE_ERROR,
    message: `Service error: ${message}`,
    ...(data && { data }),
  }
}

/** Arguments that fields come from, where the names differ. */
const ARGUMENTS: Partial<Record<Field, string>> = {
  width: 'aspect_ratio',
  height: 'aspect_ratio',
  upscale_model: 'render_type',
}

/**
 * A refusal of ComfyUI in the words of the tool: with the argument it is about, without node ids and paths.
 *
 * @param targets where the arguments went; what no argument set belongs to the render type.
 */
export function toServiceError(
  error: ComfyError | undefined,
  renderType: string,
  targets: Targets['fields'] = {},
): ServiceError {
  if (!error || error.kind === 'unreachable' || error.kind === 'timeout') {
    return new ServiceError('Could not connect to any compatible ComfyUI servers.', {
      kind: error?.kind ?? 'unreachable',
    })
  }
  const { kind, details } = error
  if (kind === 'missing_node' || kind === 'missing_model') {
    const message = `No active ComfyUI server is compatible with render type '${renderType}'.`
    const reason = withoutNodes(error.message)
    return new ServiceError(message, { kind, field: 'render_type', reason })
  }
  if (kind === 'invalid_value') {
    const field = argumentOf(error, targets)
    const problem = withoutNodes(details.problem ?? error.message).replace(/\.$/, '')
    if (field !== undefined) return new ServiceError(`${field}: ${problem}.`, { kind, field })
    const input = details.inputName ? `"${details.inputName}": ` : ''
    const message = `render_type: the workflow of '${renderType}' does not fit the ComfyUI server: ${input}${problem}.`
    return new ServiceError(message, { kind, field: 'render_type' })
  }
  const { retryAfterMs } = details
  const wait = retryAfterMs !== undefined && { retryAfterSeconds: Math.ceil(retryAfterMs / 1000) }
  return new ServiceError(withoutNodes(error.message), { kind, ...wait })
}

/** The argument that set the input the error is about. */
function argumentOf({ details }: ComfyError, targets: Targets['fields']): string | undefined {
  const [field] =
    Object.entries(targets).find(([, places]) =>
      places.some(({ node, input }) => node === details.nodeId && input === details.inputName),
    ) ?? []
  return field && (ARGUMENTS[field as Field] ?? field)
}

/** `"steps" of node 3 (KSampler): …` → `"steps": …`; `Node 1 (SlowImage) failed` → `SlowImage failed`. */
export function withoutNodes(message: string): string {
  return message
    .replace(/ \("[^"]*" of node [^()]*(?:\([^()]*\))?\)/g, '')
    .replace(/ of node \S+?(?: \([^()]*\))?(?=[:\s.]|$)/g, '')
    .replace(/^Node \S+ \(([^()]*)\)/, '$1')
    .replace(/^Node \S+?(?=[:\s])/, 'A node')
}
