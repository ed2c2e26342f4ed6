/** A first configuration for a workflow: the inputs people change, as fields. */
import type { NodeInput } from '../client/nodes.ts'
import type { FieldType } from './field.ts'
import { type Finding, hasErrors, readJson, reporter, type SourceFile } from './finding.ts'
import { isImprecise, type JsonNode, valueAt } from './json-text.ts'
import type { NodeClasses } from './node-checks.ts'
import { linkOf, type NodeText, readWorkflowText, type WorkflowText } from './workflow-text.ts'

interface ProposedMapping {
  node: string
  attribute: string
}

/** In the form and the order of the configuration format. */
export interface ProposedField {
  name: string
  type: FieldType
  description: string
  required?: boolean
  default?: unknown
  enum?: unknown[]
  minimum?: number
  maximum?: number
  mapping: ProposedMapping | ProposedMapping[]
  generator?: { type: 'seed' }
}

export interface ProposedTool {
  name: string
  description: string
  fields: ProposedField[]
}

/** Inputs worth a parameter, by what they are called everywhere. */
const DESCRIPTIONS: Readonly<Record<string, string>> = {
  seed: 'The same seed gives the same result; chosen at random when absent',
  steps: 'Sampling steps',
  cfg: 'How closely the prompt is followed',
  guidance: 'How closely the prompt is followed',
  denoise: 'How much is changed, from 0 to 1',
  width: 'Width in pixels',
  height: 'Height in pixels',
  batch_size: 'How many are made at once',
  length: 'Number of frames',
  fps: 'Frames a second',
  frame_rate: 'Frames a second',
  seconds: 'Length in seconds',
  image: 'The image to start from',
  ckpt_name: 'Model',
  unet_name: 'Model',
  lora_name: 'LoRA',
  sampler_name: 'Sampler',
  scheduler: 'Scheduler',
}
const TEXTS = new Set(['text', 'text_g', 'text_l', 'prompt', 'value', 'string'])
const TEXT_CLASS = /TextEncode|Prompt|^PrimitiveString|^Text/i
/** A list of more would fill the tool's description. */
const MAX_CHOICES = 40

/**
 * @param classes what the server has; limits and choices are left out without it.
 * @returns no tool when the workflow cannot be used; the findings say why.
 */
export function proposeTool(
  file: SourceFile,
  name: string,
  classes?: NodeClasses,
): { tool?: ProposedTool; findings: Finding[] } {
  const report = reporter(file)
  const root = readJson(file, report)
  const workflow = root && readWorkflowText(root, report)
  if (!workflow || hasErrors(report.findings)) return { findings: report.findings }
  const fields = merge(
    [...workflow.nodes.values()].flatMap((node) => ofNode(node, workflow, classes)),
  )
  // A prompt comes first, because that is what a caller thinks of first.
  const rank = ({ name: field }: ProposedField) =>
    /prompt|text/.test(field) ? 0 : field === 'seed' ? 2 : 1
  fields.sort((a, b) => rank(a) - rank(b))
  const tool = { name, description: `Runs the ComfyUI workflow "${name}"`, fields }
  return { tool, findings: report.findings }
}

function ofNode(
  node: NodeText,
  workflow: WorkflowText,
  classes: NodeClasses | undefined,
): ProposedField[] {
  const known =
    classes && Object.hasOwn(classes, node.classType) ? classes[node.classType] : undefined
  return [...node.inputs].flatMap(([inputName, json]) => {
    if (linkOf(workflow.text, json) !== undefined) return []
    const input =
      known && Object.hasOwn(known.inputs, inputName) ? known.inputs[inputName] : undefined
    const field =
      TEXTS.has(inputName) && json.kind === 'string' && TEXT_CLASS.test(node.classType)
        ? textField(node, workflow, json)
        : valueField(inputName, workflow.text, json, input)
    return field ? [{ ...field, mapping: { node: node.id, attribute: inputName } }] : []
  })
}

type Unmapped = Omit<ProposedField, 'mapping'>

function textField(node: NodeText, workflow: WorkflowText, json: JsonNode): Unmapped {
  const value = valueAt(workflow.text, json)
  if (role(node, workflow) === 'negative') {
    const description = 'What the result must not show'
    return { name: 'negative_prompt', type: 'string', description, default: value }
  }
  const description = 'What the result shows'
  return { name: 'positive_prompt', type: 'string', description, required: true }
}

/** Follows the text through all nodes to the input at its end. Without such an input, the title of the node decides. */
function role(node: NodeText, workflow: WorkflowText): 'positive' | 'negative' {
  const seen = new Set([node.id])
  // A set may grow while it is walked.
  for (const id of seen) {
    for (const other of workflow.nodes.values()) {
      for (const [name, json] of other.inputs) {
        if (linkOf(workflow.text, json) !== id) continue
        if (name === 'negative' || name === 'positive') return name
        seen.add(other.id)
      }
    }
  }
  return /negative/i.test(node.title ?? '') ? 'negative' : 'positive'
}

function valueField(
  inputName: string,
  text: string,
  json: JsonNode,
  input: NodeInput | undefined,
): Unmapped | undefined {
  const name = inputName === 'noise_seed' ? 'seed' : inputName
  if (!Object.hasOwn(DESCRIPTIONS, name)) return undefined
  const description = DESCRIPTIONS[name] ?? ''
  if (name === 'seed') {
    if (json.kind !== 'number') return undefined
    const { maximum } = limitsOf(input, true)
    const small = maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER
    const limits = { minimum: 0, ...(small && { maximum }) }
    return { name, type: 'integer', description, ...limits, generator: { type: 'seed' } }
  }
  const type = typeOf(text, json, input)
  if (!type || isImprecise(text, json)) return undefined
  const value = valueAt(text, json)
  if (input?.upload && type === 'string')
    return { name, type: 'image', description, default: value }
  const { choices } = input ?? {}
  const listed = choices && choices.length <= MAX_CHOICES && choices.includes(value)
  return {
    name,
    type,
    description,
    default: value,
    ...(listed && { enum: choices }),
    ...limitsOf(input, type === 'integer'),
  }
}

function typeOf(text: string, json: JsonNode, input: NodeInput | undefined): FieldType | undefined {
  if (json.kind === 'string' || json.kind === 'boolean') return json.kind
  if (json.kind !== 'number') return undefined
  if (input?.type === 'FLOAT') return 'number'
  if (input?.type === 'INT') return 'integer'
  return Number.isInteger(valueAt(text, json)) && !/[.eE]/.test(text.slice(json.start, json.end))
    ? 'integer'
    : 'number'
}

function limitsOf(
  input: NodeInput | undefined,
  whole: boolean,
): { minimum?: number; maximum?: number } {
  const { min, max } = input ?? {}
  const bounded = max === undefined || !whole ? max : Math.min(max, Number.MAX_SAFE_INTEGER)
  const lowest = min === undefined || !whole ? min : Math.max(min, Number.MIN_SAFE_INTEGER)
  return {
    ...(lowest !== undefined && { minimum: lowest }),
    ...(bounded !== undefined && { maximum: bounded }),
  }
}

/** Inputs of one name and one value are one field; of those that differ each has its own. */
function merge(fields: readonly ProposedField[]): ProposedField[] {
  const merged: ProposedField[] = []
  for (const field of fields) {
    const same = merged.find((other) => formOf(other) === formOf(field))
    if (same) same.mapping = [same.mapping, field.mapping].flat()
    else {
      const taken = merged.some(({ name }) => name === field.name)
      const node = 'node' in field.mapping ? field.mapping.node : ''
      merged.push(
        taken ? { ...field, name: `${field.name}_${node.replace(/\W/g, '_')}` } : { ...field },
      )
    }
  }
  return merged
}

function formOf({ mapping, ...field }: ProposedField): string {
  return JSON.stringify(field)
}
