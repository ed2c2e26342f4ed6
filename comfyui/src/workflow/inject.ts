/**
 * Sets inputs of a workflow by the titles of its nodes.
 *
 * The titles are those of MCP_GenImage, so its workflows run unchanged.
 *
 * @see https://github.com/grokuku/MCP_GenImage
 * @module
 */
import { isLink, type Workflow, WorkflowError } from './parse.ts'

/** Titles an author gives to nodes in the ComfyUI editor. Several nodes may have the same one. */
export const TITLES = {
  prompt: 'MCP_INPUT_PROMPT',
  negativePrompt: 'MCP_INPUT_NEGATIVE_PROMPT',
  seed: 'MCP_SEED',
  resolution: 'MCP_RESOLUTION',
  output: 'MCP_OUTPUT_IMAGE',
} as const

/** Inputs that hold a prompt: of text encoders (SDXL's has two) and of plain text nodes. */
const TEXT_INPUTS = ['text', 'text_g', 'text_l', 'prompt', 'value', 'string']
const SEED_INPUTS = ['seed', 'noise_seed']

export interface Fields {
  prompt: string
  /** Left out of a workflow that has no node for it: some models know no negative prompt. */
  negativePrompt?: string
  seed: number
  width: number
  height: number
}

/**
 * A copy of the workflow with the fields set.
 *
 * @throws {WorkflowError} when a needed node or input is not there, or is linked.
 */
export function inject(workflow: Workflow, fields: Fields): Workflow {
  const { prompt, negativePrompt, seed, width, height } = fields
  let result = setInput(workflow, TITLES.prompt, TEXT_INPUTS, prompt)
  if (negativePrompt !== undefined && titled(result, TITLES.negativePrompt).length > 0) {
    result = setInput(result, TITLES.negativePrompt, TEXT_INPUTS, negativePrompt)
  }
  // Workflows without these two make images of a fixed seed or size.
  if (titled(result, TITLES.seed).length > 0) {
    result = setInput(result, TITLES.seed, SEED_INPUTS, seed)
  }
  if (titled(result, TITLES.resolution).length > 0) {
    result = setInput(result, TITLES.resolution, ['width'], width)
    result = setInput(result, TITLES.resolution, ['height'], height)
  }
  return result
}

/**
 * A copy in which every node with this title has `value` in those of the named inputs it has.
 *
 * @throws {WorkflowError} when no node has the title, a node has none of the inputs, or one is linked: a link
 *   overwritten would tear the workflow apart.
 */
export function setInput(
  workflow: Workflow,
  title: string,
  names: readonly string[],
  value: unknown,
): Workflow {
  const ids = titled(workflow, title)
  if (ids.length === 0) throw new WorkflowError(`No node of the workflow has the title "${title}".`)
  const result = { ...workflow }
  for (const id of ids) {
    const node = workflow[id]
    if (!node) continue
    const found = names.filter((name) => Object.hasOwn(node.inputs, name))
    const where = `Node "${id}" (${title})`
    if (found.length === 0) {
      throw new WorkflowError(
        `${where} has none of the inputs ${names.map((name) => `"${name}"`).join(', ')}.`,
      )
    }
    const linked = found.find((name) => isLink(node.inputs[name]))
    if (linked !== undefined) {
      throw new WorkflowError(`${where}: "${linked}" is linked to another node and cannot be set.`)
    }
    const set = Object.fromEntries(found.map((name) => [name, value]))
    result[id] = { ...node, inputs: { ...node.inputs, ...set } }
  }
  return result
}

/** Ids of the nodes whose files are the result; empty when no node has the title, then any will do. */
export function outputNodes(workflow: Workflow): string[] {
  return titled(workflow, TITLES.output)
}

function titled(workflow: Workflow, title: string): string[] {
  return Object.entries(workflow)
    .filter(([, node]) => node._meta?.title === title)
    .map(([id]) => id)
}
