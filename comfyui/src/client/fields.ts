/** From a node's input back to the field of the tool that set it. */
import { ComfyError } from './errors.ts'

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
