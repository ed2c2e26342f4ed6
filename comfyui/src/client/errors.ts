/**
 * What can go wrong with a ComfyUI server, in kinds that stay the same over its versions.
 *
 * @module
 */

/**
 * - `missing_node`: the server does not have a node class of the workflow.
 * - `missing_model`: it does not have a model file.
 * - `invalid_value`: an input has a value the node does not take.
 * - `rejected`: the prompt was refused for another reason.
 * - `execution_failed`: a node failed while it ran; `out_of_memory`: because memory ran out.
 * - `interrupted`: the prompt was cancelled.
 * - `server_lost`: the server knows nothing of a prompt it had accepted.
 * - `unreachable`: no answer, or none that ComfyUI would give; `timeout`: none in time.
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

export interface ComfyErrorDetails {
  /** The node the error is about. */
  nodeId?: string
  nodeType?: string
  /** The node's input the error is about: lets a caller name its own field. */
  inputName?: string
  /** The value that was refused. */
  received?: unknown
  /** HTTP status of the answer. */
  status?: number
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
const PATH = /(?:[A-Za-z]:)?(?:[\\/][\w.@+ -]*[\w.@+-])+[\\/]?/g

/**
 * A server's text made fit to be shown: its first line, shortened, with paths cut down to the file's name.
 */
export function presentable(text: string): string {
  const [line = ''] = text.trim().split('\n')
  const shown = line.replace(PATH, (path, at: number) => {
    // "1024/768" and "and/or" are no paths; those begin with a separator or a drive.
    if (/[\w)]/.test(line[at - 1] ?? '')) return path
    const parts = path.split(/[\\/]/).filter(Boolean)
    return parts.length > 0 ? (parts.at(-1) ?? '') : path
  })
  return shown.length > MAX_LENGTH ? `${shown.slice(0, MAX_LENGTH - 1)}…` : shown
}
