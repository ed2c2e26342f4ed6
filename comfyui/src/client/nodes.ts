/** What `object_info` says of node classes, in one form over its versions. */
import { asList, asNumber, asRecord, asText, isRecord, type Json } from './json.ts'

export interface NodeInput {
  /** `INT`, `FLOAT`, `STRING`, `BOOLEAN`, `COMBO` (one of `choices`), or what is linked, for example `IMAGE`. */
  type: string
  required: boolean
  /** What a `COMBO` takes: file names of models, samplers, modes. */
  choices?: unknown[]
  /** The choices are files that are uploaded, so that one may be added. */
  upload?: boolean
  default?: unknown
  min?: number
  /** Beyond 2^53 only near the truth: a seed may go up to 2^64 - 1. */
  max?: number
  step?: number
  multiline?: boolean
}

export interface NodeClass {
  inputs: Record<string, NodeInput>
  /** Types, one a slot. */
  outputs: string[]
  /** It makes files or texts: a workflow without such a node is refused. */
  isOutput: boolean
}

/** @param info the description of one class, as `objectInfo` gives it. */
export function toNodeClass(info: unknown): NodeClass {
  const { input, output, output_node } = asRecord(info)
  const { required, optional } = asRecord(input)
  return {
    inputs: { ...toInputs(optional, false), ...toInputs(required, true) },
    outputs: asList(output).map((type) => asText(type) ?? 'COMBO'),
    isOutput: output_node === true,
  }
}

function toInputs(group: unknown, required: boolean): Record<string, NodeInput> {
  return Object.fromEntries(
    Object.entries(asRecord(group)).map(([name, spec]) => [name, toInput(asList(spec), required)]),
  )
}

// A list of choices is [["a", "b"], {…}], or ["COMBO", { options: ["a", "b"], … }] of newer nodes.
function toInput([type, more]: unknown[], required: boolean): NodeInput {
  const options: Json = asRecord(more)
  const choices = Array.isArray(type) ? (type as unknown[]) : listOf(options.options)
  const upload = Object.keys(options).some(
    (key) => key.endsWith('_upload') && options[key] === true,
  )
  const numbers = Object.entries({ min: options.min, max: options.max, step: options.step })
    .map(([key, value]) => [key, asNumber(value)] as const)
    .filter(([, value]) => value !== undefined)
  return {
    type: choices ? 'COMBO' : (asText(type) ?? '*'),
    required,
    ...(choices && { choices }),
    ...(upload && { upload }),
    ...('default' in options && { default: options.default }),
    ...(Object.fromEntries(numbers) as Pick<NodeInput, 'min' | 'max' | 'step'>),
    ...(options.multiline === true && { multiline: true }),
  }
}

function listOf(value: unknown): unknown[] | undefined {
  return Array.isArray(value) ? (value as unknown[]) : undefined
}

/** Classes of a workflow's nodes, each once. */
export function classesOf(workflow: Json): string[] {
  const types = Object.values(workflow).map((node) => asText(asRecord(node).class_type))
  return [...new Set(types.filter((type) => type !== undefined))]
}

/** Inputs that hold a value and no link. */
export function literalsOf(node: unknown): [name: string, value: unknown][] {
  const { inputs } = asRecord(node)
  return isRecord(inputs) ? Object.entries(inputs).filter(([, value]) => !Array.isArray(value)) : []
}
