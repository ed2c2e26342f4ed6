/** Which inputs of a workflow a render type's fields go to: by its mappings, else by the titles of the nodes. */
import type { Workflow } from 'ftl-comfyui/workflow'
import type { Field, MappingTarget, OutputPlace, RenderType } from '../config-schema.ts'

/**
 * Titles that an author gives to nodes in the ComfyUI editor. Several nodes may have the same one.
 *
 * They are those of MCP_GenImage, so its workflows run unchanged.
 *
 * @see https://github.com/grokuku/MCP_GenImage
 */
const TITLES = {
  prompt: 'MCP_INPUT_PROMPT',
  negativePrompt: 'MCP_INPUT_NEGATIVE_PROMPT',
  seed: 'MCP_SEED',
  resolution: 'MCP_RESOLUTION',
  output: 'MCP_OUTPUT_IMAGE',
} as const

export interface Target {
  node: string
  input: string
}

export interface Targets {
  fields: Partial<Record<Field, Target[]>>
  /** Nodes whose files are the result; empty: all nodes that write files. */
  outputs: string[]
  /** Why the render type cannot be used; empty: it can. */
  problems: TargetProblem[]
}

/** A problem of the render type (`mappings`…) or of its workflow file. */
export interface TargetProblem {
  in: 'render type' | 'workflow'
  path: (string | number)[]
  message: string
}

/** Titles an author gives to nodes in the ComfyUI editor, and the inputs such a node may have for the field. */
const BY_TITLE: Record<Field, { title: string; inputs: readonly string[] }> = {
  // Text encoders (SDXL's has two texts) and plain text nodes.
  prompt: {
    title: TITLES.prompt,
    inputs: ['text', 'text_g', 'text_l', 'prompt', 'value', 'string'],
  },
  negative_prompt: {
    title: TITLES.negativePrompt,
    inputs: ['text', 'text_g', 'text_l', 'prompt', 'value', 'string'],
  },
  seed: { title: TITLES.seed, inputs: ['seed', 'noise_seed'] },
  width: { title: TITLES.resolution, inputs: ['width'] },
  height: { title: TITLES.resolution, inputs: ['height'] },
  image: { title: 'MCP_INPUT_IMAGE', inputs: ['image'] },
  mask: { title: 'MCP_INPUT_MASK', inputs: ['image'] },
  scale: { title: 'MCP_SCALE', inputs: ['scale_by', 'scale', 'upscale_by', 'value'] },
  upscale_model: { title: 'MCP_UPSCALE_MODEL', inputs: ['model_name'] },
}

/** Fields without which the tool could not do what it says. */
const NEEDED: Record<RenderType['tool'], readonly Field[]> = {
  generate_image: ['prompt'],
  upscale_image: ['image', 'scale'],
}

/** Classes that write files; others may be named by `mappings.output` or the title. */
const WRITES_FILES = /^(?:Save|Preview|VHS_)|Save(?:Image|Video)?$/

export function findTargets(workflow: Workflow, renderType: RenderType): Targets {
  const found: Targets = { fields: {}, outputs: [], problems: [] }
  const { mappings = {}, tool, upscale_model: model } = renderType
  for (const field of Object.keys(BY_TITLE) as Field[]) {
    const mapped = mappings[field]
    const targets = mapped
      ? mapped.flatMap((target, index) =>
          mappedInput(workflow, target, ['mappings', field, index], found),
        )
      : titledInputs(workflow, field, found)
    if (targets.length > 0) found.fields[field] = targets
    else if (!mapped && (NEEDED[tool].includes(field) || (field === 'upscale_model' && model))) {
      found.problems.push({
        in: 'workflow',
        path: [],
        message: `no node has the title "${BY_TITLE[field].title}"; give it to the node that takes the ${field.replace('_', ' ')}, or name the node in "mappings"`,
      })
    }
  }
  if (found.fields.upscale_model && !model) {
    const message = 'the workflow has an upscale model; name its file and scale in "upscale_model"'
    found.problems.push({ in: 'render type', path: [], message })
  }
  found.outputs = mappings.output
    ? mappings.output.flatMap((place, index) =>
        placedNodes(workflow, place, ['mappings', 'output', index], found),
      )
    : titled(workflow, TITLES.output)
  const writes = Object.values(workflow).some(({ class_type }) => WRITES_FILES.test(class_type))
  if (!mappings.output && found.outputs.length === 0 && !writes) {
    found.problems.push({
      in: 'workflow',
      path: [],
      message: `no node saves an image; add a "Save Image" node, or give the title "${TITLES.output}" to the node that does`,
    })
  }
  return found
}

/**
 * Whether the workflow uses the transparency of its input image as a mask: the second output of `LoadImage`. Such a render
 * type takes a mask without a node for it.
 */
export function usesTransparency(workflow: Workflow, { image = [] }: Targets['fields']): boolean {
  const loaders = image.filter(({ node }) => workflow[node]?.class_type === 'LoadImage')
  const values = Object.values(workflow).flatMap(({ inputs }) => Object.values(inputs))
  return loaders.some(({ node }) =>
    values.some((value) => Array.isArray(value) && value[0] === node && value[1] === 1),
  )
}

function titledInputs(workflow: Workflow, field: Field, found: Targets): Target[] {
  const { title, inputs } = BY_TITLE[field]
  return titled(workflow, title).flatMap((node) => {
    const has = inputs.filter((input) => Object.hasOwn(workflow[node]?.inputs ?? {}, input))
    if (has.length === 0) {
      const names = inputs.map((name) => `"${name}"`).join(', ')
      const message = `the node with the title "${title}" has none of the inputs ${names}; give the title to another node, or use "mappings"`
      found.problems.push({ in: 'workflow', path: [node, 'inputs'], message })
    }
    return has.flatMap((input) => settable(workflow, { node, input }, undefined, found))
  })
}

function mappedInput(
  workflow: Workflow,
  { input, ...place }: MappingTarget,
  path: (string | number)[],
  found: Targets,
): Target[] {
  return placedNodes(workflow, place, path, found).flatMap((node) => {
    const known = Object.keys(workflow[node]?.inputs ?? {})
    if (known.includes(input)) return settable(workflow, { node, input }, [...path, 'input'], found)
    const choice = known.map((name) => `"${name}"`).join(', ')
    const message = `node "${node}" has no input "${input}"; it has ${choice || 'none'}`
    found.problems.push({ in: 'render type', path: [...path, 'input'], message })
    return []
  })
}

/** A link overwritten would tear the workflow apart. */
function settable(
  workflow: Workflow,
  target: Target,
  mapping: (string | number)[] | undefined,
  found: Targets,
): Target[] {
  const { node, input } = target
  if (!Array.isArray(workflow[node]?.inputs[input])) return [target]
  const message = `"${input}" of node "${node}" is linked to another node and cannot be set; use that node`
  found.problems.push(
    mapping
      ? { in: 'render type', path: mapping, message }
      : { in: 'workflow', path: [node, 'inputs', input], message },
  )
  return []
}

function placedNodes(
  workflow: Workflow,
  place: OutputPlace,
  path: (string | number)[],
  found: Targets,
): string[] {
  const { node, title, class_type } = place
  const refuse = (key: string | undefined, message: string): string[] => {
    found.problems.push({ in: 'render type', path: key ? [...path, key] : path, message })
    return []
  }
  if (node === undefined && title === undefined && class_type === undefined) {
    return refuse(undefined, 'needs "node", "title" or "class_type"')
  }
  const ids = Object.keys(workflow).filter(
    (id) =>
      (node === undefined || id === node) &&
      (title === undefined || workflow[id]?._meta?.title === title) &&
      (class_type === undefined || workflow[id]?.class_type === class_type),
  )
  const [key, value] = Object.entries(place).find(([, wanted]) => wanted !== undefined) ?? []
  if (ids.length === 0) return refuse(key, `the workflow has no node with ${key} "${value}"`)
  // "The first that fits" would let one text go where another belongs.
  if (ids.length > 1 && title === undefined) {
    const list = ids.map((id) => `"${id}"`).join(', ')
    return refuse(
      'class_type',
      `the nodes ${list} are all of class "${class_type}"; name one by "node"`,
    )
  }
  return ids
}

function titled(workflow: Workflow, title: string): string[] {
  return Object.keys(workflow).filter((id) => workflow[id]?._meta?.title === title)
}
