/** A workflow as a caller of `run_workflow` sends it: in the API format, or as the editor saves it. */
import { classesOf } from 'ftl-comfyui/client'
import { ConversionError, editorClasses, isEditorFormat, toApiFormat } from 'ftl-comfyui/editor'
import { parseWorkflow, type Workflow, WorkflowError } from 'ftl-comfyui/workflow'
import { jsonOf } from 'ftl-contract'
import { InvalidArguments } from 'ftl-sdk'
import type { GivenWorkflow } from './choose-server.ts'

const MAX_BYTES = 512 * 1024
/** A file of the editor also says where everything is drawn. */
const MAX_EDITOR_BYTES = 2 * 1024 * 1024
const MAX_NODES = 256

/** @throws {InvalidArguments} */
export function readGiven(given: Record<string, unknown> | string): GivenWorkflow {
  const value = typeof given === 'string' ? jsonOf(given) : given
  if (isEditorFormat(value)) return fromEditor(value)
  const ready = checked(parse(given))
  return { classes: classesOf(ready.workflow), toApi: () => ready }
}

function fromEditor(value: Record<string, unknown>): GivenWorkflow {
  if (bytesOf(textOf(value)) > MAX_EDITOR_BYTES)
    throw refuse(`has more than ${MAX_EDITOR_BYTES / 1024 / 1024} MB`)
  const classes = editorClasses(value)
  // Each is a request to the server.
  if (classes.length > MAX_NODES)
    throw refuse(`has nodes of ${classes.length} classes; at most ${MAX_NODES} are allowed`)
  return {
    classes,
    toApi: (infos) => {
      try {
        return checked(parse(toApiFormat(value, infos).workflow))
      } catch (error) {
        if (!(error instanceof ConversionError)) throw error
        throw new InvalidArguments(`workflow: ${error.message}`)
      }
    },
  }
}

/** @throws {InvalidArguments} */
function checked(workflow: Workflow): { workflow: Workflow; text: string } {
  const text = textOf(workflow)
  if (bytesOf(text) > MAX_BYTES) throw refuse(`has more than ${MAX_BYTES / 1024} KB`)
  const nodes = Object.keys(workflow).length
  if (nodes > MAX_NODES) throw refuse(`has ${nodes} nodes; at most ${MAX_NODES} are allowed`)
  return { workflow, text }
}

function parse(given: unknown): Workflow {
  try {
    return parseWorkflow(given, 'unchecked')
  } catch (error) {
    if (!(error instanceof WorkflowError)) throw error
    throw new InvalidArguments(`workflow: ${error.message}`)
  }
}

/** @throws {InvalidArguments} for lists inside lists that no engine can write. */
function textOf(value: unknown): string {
  try {
    return JSON.stringify(value)
  } catch {
    throw refuse('has too many lists inside each other')
  }
}

function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length
}

function refuse(why: string): InvalidArguments {
  return new InvalidArguments(`workflow: it ${why}`)
}
