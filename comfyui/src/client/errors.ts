/**
 * What can go wrong with a ComfyUI server, in kinds that stay the same over its versions.
 *
 * @module
 */

/**
 * - `missing_node`: the server does not have a node class of the workflow.
 * - `missing_model`: it does not have a model file.
 * - `invalid_value`: an input has a value the node does not take.
 * - `rejected`: the prompt was refused for another reason, or the answer is none of ComfyUI's.
 * - `execution_failed`: a node failed while it ran; `out_of_memory`: because memory ran out.
 * - `interrupted`: the prompt was cancelled.
 * - `server_lost`: the server knows nothing of a prompt it had accepted.
 * - `unreachable`: no answer, or a proxy's that nobody answered it; `timeout`: none in time.
 * - `unauthorized`: the server, or what stands before it, wants a key, another one, or credits.
 * - `queue_full`: it takes no more prompts at the moment.
 */
export type ComfyErrorKind =
  | 'missing_node'
  | 'missing_model'
  | 'invalid_value'
  | 'rejected'
  | 'execution_failed'
  | 'out_of_memory'
  | 'interrupted'
  | 'server_lost'
  | 'unreachable'
  | 'timeout'
  | 'unauthorized'
  | 'queue_full'

export interface ComfyErrorDetails {
  /** The node the error is about. */
  nodeId?: string
  nodeType?: string
  /** The node's input the error is about: lets a caller name its own field. */
  inputName?: string
  /** What is wrong, without the place: `Value 0 smaller than min of 1`. */
  problem?: string
  /** The value that was refused. */
  received?: unknown
  /** HTTP status of the answer. */
  status?: number
  /** Milliseconds after which the server may be asked again, where it said so. */
  retryAfterMs?: number
  /** The caller's own fields, filled in by `mapToFields`. */
  fields?: string[]
}

/** Its message is fit for a client: no traceback, no path, no command line. */
export class ComfyError extends Error {
  override readonly name = 'ComfyError'
  readonly kind: ComfyErrorKind
  readonly details: ComfyErrorDetails
  constructor(kind: ComfyErrorKind, message: string, details: ComfyErrorDetails = {}) {
    super(message)
    this.kind = kind
    this.details = details
  }
}

const MAX_LENGTH = 300
/** What is looked at: matching a path costs the square of its length. */
const MAX_READ = 2_000
const PATH = /(?:[A-Za-z]:)?(?:[\\/][\w.@+ -]*[\w.@+-])+[\\/]?/g

/**
 * A server's text made fit to be shown: its first line, shortened, with paths cut down to the file's name.
 */
export function presentable(text: string): string {
  const [first = ''] = text.trim().split('\n', 1)
  const line = first.slice(0, MAX_READ)
  const shown = line.replace(PATH, (path, at: number) => {
    // "1024/768" and "and/or" are no paths; those begin with a separator or a drive.
    if (/[\w)]/.test(line[at - 1] ?? '')) return path
    const parts = path.split(/[\\/]/).filter(Boolean)
    return parts.length > 0 ? (parts.at(-1) ?? '') : path
  })
  return shown.length > MAX_LENGTH ? `${shown.slice(0, MAX_LENGTH - 1)}…` : shown
}
