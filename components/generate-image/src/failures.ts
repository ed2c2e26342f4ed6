/** Failures of ComfyUI in the words of the image tools. */
import { ComfyError } from 'ftl-comfyui/client'
import { toToolError } from 'ftl-comfyui/job'
import { ToolError } from 'ftl-sdk'
import type { Field } from './config-schema.ts'
import type { Targets } from './workflow/targets.ts'

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
export function toImageError(
  error: ComfyError | undefined,
  renderType: string,
  targets: Targets['fields'] = {},
): ToolError {
  if (!error || error.kind === 'unreachable') {
    return new ToolError('Could not connect to any compatible ComfyUI servers.', {
      kind: 'unreachable',
    })
  }
  const { kind, details } = error
  if (kind === 'missing_node' || kind === 'missing_model') {
    const reason = withoutNodes(error.message)
    const message = `No active ComfyUI server is compatible with render type '${renderType}'. ${reason}`
    return new ToolError(message, { kind, field: 'render_type', reason })
  }
  if (kind === 'invalid_value') {
    const field = argumentOf(error, targets)
    const problem = withoutNodes(details.problem ?? error.message).replace(/\.$/, '')
    if (field !== undefined) return new ToolError(`${field}: ${problem}.`, { kind, field })
    const input = details.inputName ? `"${details.inputName}": ` : ''
    const message = `render_type: the workflow of '${renderType}' does not fit the ComfyUI server: ${input}${problem}.`
    return new ToolError(message, { kind, field: 'render_type' })
  }
  if (kind === 'rejected' && details.nodeId !== undefined) {
    // Only the author of the workflow can mend this, and needs the node.
    const message = `render_type: the workflow of '${renderType}' is not valid: ${error.message}`
    return new ToolError(message, { kind, field: 'render_type' })
  }
  return toToolError(withoutNodeIds(error))
}

/** The argument that set the input the error is about. */
function argumentOf({ details }: ComfyError, targets: Targets['fields']): string | undefined {
  const [field] =
    Object.entries(targets).find(([, places]) =>
      places.some(({ node, input }) => node === details.nodeId && input === details.inputName),
    ) ?? []
  return field && (ARGUMENTS[field as Field] ?? field)
}

export function withoutNodeIds({ kind, message, details }: ComfyError): ComfyError {
  return new ComfyError(kind, withoutNodes(message), details)
}

/** `"steps" of node 3 (KSampler): …` → `"steps": …`; `Node 1 (SlowImage) failed` → `SlowImage failed`. */
export function withoutNodes(message: string): string {
  return message
    .replace(/ \("[^"]*" of node [^()]*(?:\([^()]*\))?\)/g, '')
    .replace(/ of node \S+?(?: \([^()]*\))?(?=[:\s.]|$)/g, '')
    .replace(/^Node \S+ \(([^()]*)\)/, '$1')
    .replace(/^Node \S+?(?=[:\s])/, 'A node')
}
