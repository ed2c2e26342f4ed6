/**
 * Whether links and values are of the types that the inputs of a node take, by the rules of ComfyUI.
 *
 * @see https://github.com/comfyanonymous/ComfyUI/blob/master/comfy_execution/validation.py
 */
import type { NodeInput } from './nodes.ts'
import { isModelFile } from './refusal.ts'

/** Types without a value in a file: a node makes them. A node pack may have values for types of its own. */
const LINKED_ONLY: ReadonlySet<string> = new Set([
  'CLIP',
  'CLIP_VISION',
  'CLIP_VISION_OUTPUT',
  'CONDITIONING',
  'CONTROL_NET',
  'GUIDER',
  'IMAGE',
  'LATENT',
  'MASK',
  'MODEL',
  'NOISE',
  'SAMPLER',
  'SIGMAS',
  'STYLE_MODEL',
  'UPSCALE_MODEL',
  'VAE',
  'VIDEO',
  'AUDIO',
])

/** Types that the editor checks and the server does not. */
const UNCHECKED: ReadonlySet<string> = new Set(['*', 'COMBO', 'LIST', 'COMFY_MATCHTYPE_V3'])

const typesOf = (type: string) => type.split(',').map((one) => one.trim())

/**
 * Why the input does not take a link, after `"model" of node "3" …`.
 *
 * @param outputs types of the outputs of the node that it is linked to.
 * @param source that node, for the message.
 * @returns `undefined` if it takes it.
 */
export function linkProblem(
  input: NodeInput,
  slot: number,
  outputs: readonly string[],
  source: string,
): string | undefined {
  const output = outputs[slot]
  if (output === undefined) {
    return `is linked to output ${slot} of ${source}, which has ${outputs.length}`
  }
  if (takesLink(input, output)) return undefined
  return `takes ${input.type}, and output ${slot} of ${source} is ${output}`
}

/** Whether an output of this type can be linked to the input: `INT,FLOAT` takes either. */
function takesLink({ type }: NodeInput, output: string): boolean {
  const taken = typesOf(type)
  const given = typesOf(output)
  if ([...taken, ...given].some((one) => UNCHECKED.has(one))) return true
  return given.some((one) => taken.includes(one))
}

/** Why the input does not take the value, after `"steps" of node "3" …`. @returns `undefined` if it does */
export function typeProblem({ type, required }: NodeInput, value: unknown): string | undefined {
  switch (type) {
    case 'INT':
      return isNumeric(value, /^\s*[+-]?\d+\s*$/) ? undefined : 'must be a whole number'
    case 'FLOAT':
      return isNumeric(value, /^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?\s*$/i)
        ? undefined
        : 'must be a number'
    default:
      // What is not given may also be written as null.
      return LINKED_ONLY.has(type) && (required || value !== null)
        ? `takes a link to an output of type ${type}, no value`
        : undefined
  }
}

/**
 * Whether ComfyUI refuses the value because it is not one of the choices. It does not compare a file that may be uploaded,
 * and an unknown choice that would bring inputs only brings none.
 */
export function lacksChoice(input: NodeInput, value: unknown): boolean {
  const { choices, upload, inputsByChoice, open } = input
  if (!choices || upload || inputsByChoice || hasChoice(choices, value)) return false
  return !open || isModelFile(value)
}

/** A file in a folder has a name of its own on Windows: `sub\m.safetensors`. */
const slashed = (name: string) => name.replaceAll('\\', '/')

/** The choice as the server writes it: a prompt with the other separator is sent again with this one. */
export function findChoice(choices: readonly unknown[], value: unknown): unknown {
  if (choices.includes(value) || typeof value !== 'string' || !/[\\/]/.test(value)) return value
  const name = slashed(value)
  return choices.find((choice) => typeof choice === 'string' && slashed(choice) === name) ?? value
}

export function hasChoice(choices: readonly unknown[], value: unknown): boolean {
  return choices.includes(findChoice(choices, value))
}

/** ComfyUI converts booleans, and texts that are numbers. */
function isNumeric(value: unknown, text: RegExp): boolean {
  return typeof value === 'string' ? text.test(value) : ['number', 'boolean'].includes(typeof value)
}
