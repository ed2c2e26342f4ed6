/** Errors of a ComfyUI server, in kinds that are stable across its versions. */

/**
 * - `missing_node`: the server does not have a node class of the workflow.
 * - `missing_model`: the server does not have a model file.
 * - `invalid_value`: an input has a value that the node does not accept.
 * - `rejected`: the prompt was refused for another reason, or the response does not look like ComfyUI's.
 * - `execution_failed`: a node failed while it ran; `out_of_memory`: it failed because memory ran out.
 * - `interrupted`: the prompt was cancelled.
 * - `server_lost`: the server no longer has a prompt that it had accepted.
 * - `unreachable`: no response, or a proxy reported that the server is down; `timeout`: no response in time.
 * - `unauthorized`: the server, or a proxy in front of it, requires a key, a different key, or credits.
 * - `queue_full`: the server does not accept more prompts at the moment.
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
  /** The node's input the error is about, so that a caller can map it to its own field; `''`: none of its inputs. */
  inputName?: string
  /** The problem without its location: `Value 0 smaller than min of 1`. */
  problem?: string
  /** ComfyUI's own words for it, without paths. */
  said?: string
  /** The value that was refused. */
  received?: unknown
  /** What the server has for the input, if it said so: names of files, unbounded. */
  available?: unknown[]
  /** HTTP status of the answer. */
  status?: number
  /** Milliseconds after which to retry, if the server sent `Retry-After`. */
  retryAfterMs?: number
  /** The caller's own fields, filled in by `mapToFields`. */
  fields?: string[]
}

/** Its message is safe to show to a client: it has no traceback, path or command line. */
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
/** Characters that are examined: matching a path takes time quadratic in its length. */
const MAX_READ = 2_000
/** Colors of a terminal, and other characters without a shape. */
const CONTROLS = /\x1b\[[\d;?]{0,20}[A-Za-z]|[\x00-\x08\x0b-\x1f\x7f-\x9f]/g
const PATH = /(?:[A-Za-z]:)?(?:[\\/][\w.@+ -]*[\w.@+-])+[\\/]?/g

/**
 * Makes a server's text safe to show: its first line, shortened, with each path reduced to its file name.
 */
export function presentable(text: string): string {
  const [first = ''] = text.trim().split('\n', 1)
  const line = first.slice(0, MAX_READ).replace(CONTROLS, '')
  const shown = line.replace(PATH, (path, at: number) => {
    // "1024/768" and "and/or" are not paths: a path begins with a separator or a drive.
    if (/[\w)]/.test(line[at - 1] ?? '')) return path
    const parts = path.split(/[\\/]/).filter(Boolean)
    return parts.length > 0 ? (parts.at(-1) ?? '') : path
  })
  return shown.length > MAX_LENGTH ? `${shown.slice(0, MAX_LENGTH - 1)}…` : shown
}

/** One place of the workflow a field was written to. A field may have several, and so several entries. */
export interface FieldMapping {
  /** The caller's name, for example `steps`. */
  field: string
  nodeId: string
  inputName: string
}

/**
 * The error in the words of the caller: `"steps": Value 0 smaller than min of 1.` instead of the node's id. An error
 * about something no field was written to comes back as it is.
 *
 * @example
 * throw mapToFields(error, [{ field: 'steps', nodeId: '3', inputName: 'steps' }])
 */
export function mapToFields(error: ComfyError, mappings: readonly FieldMapping[]): ComfyError {
  const { nodeId, inputName, problem } = error.details
  if (nodeId === undefined) return error
  const ofNode = mappings.filter((mapping) => mapping.nodeId === nodeId)
  const hit = ofNode.filter((mapping) => mapping.inputName === inputName)
  // A node that failed names no input; with a single field there is no doubt which one it was.
  const fields = namesOf(hit.length > 0 || inputName !== undefined ? hit : ofNode)
  const [field] = fields
  if (field === undefined || (inputName === undefined && fields.length > 1)) return error
  const message = problem === undefined ? error.message : `"${fields.join('", "')}": ${problem}.`
  return new ComfyError(error.kind, message, { ...error.details, fields })
}

function namesOf(mappings: readonly FieldMapping[]): string[] {
  return [...new Set(mappings.map(({ field }) => field))]
}
