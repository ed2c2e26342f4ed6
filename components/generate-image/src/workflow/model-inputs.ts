/**
 * The inputs of a workflow that choose its model, LoRAs, sampler and scheduler.
 *
 * They are found by the classes of ComfyUI's own nodes, so an author marks nothing. A workflow with two different models,
 * such as a base and a refiner, keeps them: one name cannot replace both.
 */
import type { Workflow } from 'ftl-comfyui/workflow'
import type { Target } from './targets.ts'

/** Arguments that choose from the lists of a server. */
export const MODEL_ARGUMENTS = ['model', 'loras', 'sampler', 'scheduler'] as const
export type ModelArgument = (typeof MODEL_ARGUMENTS)[number]

export interface Lora {
  name: string
  strength: number
}

export interface ModelChoice {
  model?: string
  loras?: Lora[]
  sampler?: string
  scheduler?: string
}

/** Loader classes: the input with the file, and whether the node also gives the text encoder (slot 1). */
const LOADERS: ReadonlyMap<string, { input: string; clip: boolean }> = new Map([
  ['CheckpointLoaderSimple', { input: 'ckpt_name', clip: true }],
  ['UNETLoader', { input: 'unet_name', clip: false }],
])
const SAMPLERS = /^(?:KSampler|KSamplerAdvanced|KSamplerSelect)$/
const SCHEDULERS = /^(?:KSampler|KSamplerAdvanced|BasicScheduler)$/

/** @returns the places of each argument; an argument that the workflow cannot take is absent. */
export function modelInputs(workflow: Workflow): Partial<Record<ModelArgument, Target[]>> {
  const places = (input: string, classes: RegExp): Target[] =>
    Object.entries(workflow).flatMap(([node, { class_type, inputs }]) =>
      classes.test(class_type) && typeof inputs[input] === 'string' ? [{ node, input }] : [],
    )
  const loaders = Object.entries(workflow).flatMap(([node, { class_type, inputs }]) => {
    const loader = LOADERS.get(class_type)
    return loader && typeof inputs[loader.input] === 'string' ? [{ node, input: loader.input }] : []
  })
  const found = {
    sampler: places('sampler_name', SAMPLERS),
    scheduler: places('scheduler', SCHEDULERS),
    ...(loaders.length === 1 && { model: loaders, loras: loaders }),
  }
  return Object.fromEntries(Object.entries(found).filter(([, targets]) => targets.length > 0))
}

/** Sets what was chosen. LoRAs are put between the loader and every node that uses it. */
export function withModels(
  workflow: Workflow,
  inputs: Partial<Record<ModelArgument, Target[]>>,
  { loras = [], ...names }: ModelChoice,
): Workflow {
  const result: Workflow = { ...workflow }
  for (const [argument, name] of Object.entries(names)) {
    for (const { node: id, input } of inputs[argument as ModelArgument] ?? []) {
      const node = result[id]
      if (node) result[id] = { ...node, inputs: { ...node.inputs, [input]: name } }
    }
  }
  const [loader] = inputs.loras ?? []
  return loader ? loras.reduce((into, lora) => withLora(into, loader.node, lora), result) : result
}

/** The last LoRA that is added is applied first, which gives the same weights. */
function withLora(workflow: Workflow, loader: string, { name, strength }: Lora): Workflow {
  const { clip = false } = LOADERS.get(workflow[loader]?.class_type ?? '') ?? {}
  let id = `${loader}_lora`
  while (Object.hasOwn(workflow, id)) id += '_'
  const slots = clip ? [0, 1] : [0]
  const moved = Object.entries(workflow).map(([key, node]) => {
    const inputs = Object.entries(node.inputs).map(([input, value]) => {
      const isMoved =
        Array.isArray(value) && value[0] === loader && slots.includes(Number(value[1]))
      return [input, isMoved ? [id, Number(value[1])] : value]
    })
    return [
      key,
      { ...node, inputs: Object.fromEntries(inputs) as Record<string, unknown> },
    ] as const
  })
  const inputs = { model: [loader, 0], lora_name: name, strength_model: strength }
  const node = clip
    ? {
        class_type: 'LoraLoader',
        inputs: { ...inputs, clip: [loader, 1], strength_clip: strength },
      }
    : { class_type: 'LoraLoaderModelOnly', inputs }
  return { ...Object.fromEntries(moved), [id]: node }
}
