/** What `object_info` says of node classes, in one form over its versions. */
import { asObject } from 'ftl-contract'
import { asList, asNumber, asText, type Json } from './narrow.ts'
import type { MediaKind } from './media-format.ts'

export interface NodeInput {
  /** `INT`, `FLOAT`, `STRING`, `BOOLEAN`, `COMBO` (one of `choices`), or what is linked, for example `IMAGE`. */
  type: string
  required: boolean
  /** What a `COMBO` takes: file names of models, samplers, modes. */
  choices?: unknown[]
  /** The choices are files that are uploaded, so that one may be added. */
  upload?: boolean
  /** What is uploaded, if it is not an image. */
  media?: MediaKind
  /** The server may take others: no choices are known (`CustomCombo`), or the node takes any (`ModelAttentionBackend`). */
  open?: boolean
  default?: unknown
  min?: number
  /** Beyond 2^53 only near the truth: a seed may go up to 2^64 - 1. */
  max?: number
  step?: number
  multiline?: boolean
  /** Several of `choices` in a list. */
  multiple?: boolean
  /** Inputs that the node has only with one of its `choices`: by choice, then by whole name (`format.codec`). */
  inputsByChoice?: Record<string, Record<string, NodeInput>>
  /** Inputs that the node has only if this one is given, by whole name. */
  inputsIfGiven?: Record<string, NodeInput>
  /** A list that grows: whole names of its entries (`images.image0`), and what each takes. */
  entries?: { names: string[]; input: NodeInput }
}

export interface NodeClass {
  inputs: Record<string, NodeInput>
  /** Types, one a slot. */
  outputs: string[]
  /** It makes files or texts: a workflow without such a node is refused. */
  isOutput: boolean
}

/** Choices that stock nodes take whether or not the machine has them: a workflow may come from another one. */
const UNCHECKED: ReadonlyMap<string, string> = new Map([
  ['ModelAttentionBackend', 'attention'],
  ['SelectModelDevice', 'device'],
  ['SelectCLIPDevice', 'device'],
  ['SelectVAEDevice', 'device'],
])

/** @param info the description of one class, as `objectInfo` gives it. */
export function toNodeClass(info: unknown): NodeClass {
  const { input, output, output_node, name } = asObject(info)
  const { required, optional } = asObject(input)
  const inputs = { ...toInputs(optional, false), ...toInputs(required, true) }
  const unchecked = inputs[UNCHECKED.get(asText(name) ?? '') ?? '']
  if (unchecked) unchecked.open = true
  return {
    inputs,
    outputs: asList(output).map((type) => asText(type) ?? 'COMBO'),
    isOutput: output_node === true,
  }
}

/** What the options of an input say of the files that it takes. */
const MEDIA_OF: Readonly<Record<string, MediaKind | undefined>> = {
  ...{
    video_upload: 'video',
    audio_upload: 'audio',
    mesh_upload: 'model3d',
    file_upload: 'model3d',
  },
}

/** Levels of inputs inside inputs that are read; stock nodes have two. */
const MAX_DEPTH = 8
/** Entries of a list; ComfyUI allows as many. */
const MAX_ENTRIES = 100

/** @param prefix of the names, with a dot at the end, for inputs inside an input. */
function toInputs(group: unknown, required: boolean, prefix = ''): Record<string, NodeInput> {
  return Object.fromEntries(
    Object.entries(asObject(group)).map(([name, spec]) => [
      prefix + name,
      toInput(asList(spec), required, prefix + name),
    ]),
  )
}

/**
 * @param spec of one input: `[["a", "b"], {…}]`, or `["COMBO", { options: ["a", "b"], … }]` of newer nodes.
 * @returns `undefined` when it is not a list of choices.
 */
export function choicesOf(spec: unknown): unknown[] | undefined {
  const [type, more] = asList(spec)
  return Array.isArray(type) ? (type as unknown[]) : listOf(asObject(more).options)
}

function toInput([type, more]: unknown[], required: boolean, name: string): NodeInput {
  const options: Json = asObject(more)
  if (type === 'COMFY_DYNAMICCOMBO_V3') return toDynamicCombo(options, required, name)
  if (type === 'COMFY_AUTOGROW_V3') return toGrowingList(options, required, name)
  // The editor gets the choices of a remote combo from elsewhere, and the server does not check them.
  const choices = options.remote_combo ? undefined : choicesOf([type, more])
  const uploads = Object.keys(options).filter(
    (key) => key.endsWith('_upload') && options[key] === true,
  )
  const media = uploads.map((key) => MEDIA_OF[key]).find((kind) => kind !== undefined)
  const numbers = Object.entries({ min: options.min, max: options.max, step: options.step })
    .map(([key, value]) => [key, asNumber(value)] as const)
    .filter(([, value]) => value !== undefined)
  const multiple = Boolean(options.multiselect ?? options.multi_select)
  return {
    type: choices || Array.isArray(type) ? 'COMBO' : (asText(type) ?? '*'),
    required,
    ...(choices && { choices }),
    ...(uploads.length > 0 && { upload: true }),
    ...(media && { media }),
    ...(type === 'COMBO' && choices?.length === 0 && { open: true }),
    ...('default' in options && { default: options.default }),
    ...(Object.fromEntries(numbers) as Pick<NodeInput, 'min' | 'max' | 'step'>),
    ...(options.multiline === true && { multiline: true }),
    ...(multiple && { multiple }),
    ...(type === 'COMFY_DYNAMICSLOT_V3' && {
      type: asText(options.slotType) ?? '*',
      inputsIfGiven: toInner(options.inputs, name),
    }),
  }
}

/** One of several keys; each brings inputs of its own. */
function toDynamicCombo(options: Json, required: boolean, name: string): NodeInput {
  const all = asList(options.options)
    .map(asObject)
    .map(({ key, inputs }) => [asText(key), inputs] as const)
    .filter((option): option is [string, unknown] => option[0] !== undefined)
  return {
    type: 'COMBO',
    required,
    choices: all.map(([key]) => key),
    ...('default' in options && { default: options.default }),
    inputsByChoice: Object.fromEntries(all.map(([key, inputs]) => [key, toInner(inputs, name)])),
  }
}

/** ComfyUI checks the entries that are given, and does not ask for those that are not. */
function toGrowingList(options: Json, required: boolean, name: string): NodeInput {
  const template = asObject(options.template)
  const [spec] = Object.values(asObject(template.input)).flatMap((group) =>
    Object.values(asObject(group)),
  )
  const prefix = asText(template.prefix)
  const count = Math.min(Math.max(asNumber(template.max) ?? 0, 0), MAX_ENTRIES)
  const names =
    prefix === undefined
      ? asList(template.names).map(asText).slice(0, MAX_ENTRIES)
      : Array.from({ length: count }, (_, index) => `${prefix}${index}`)
  return {
    type: 'LIST',
    required,
    entries: {
      names: names.filter((entry) => entry !== undefined).map((entry) => `${name}.${entry}`),
      // An entry cannot have inputs of its own.
      input: toInput(asList(spec), false, ''),
    },
  }
}

function toInner(inputs: unknown, name: string): Record<string, NodeInput> {
  if (name.split('.').length > MAX_DEPTH) return {}
  const { required, optional } = asObject(inputs)
  return {
    ...toInputs(optional, false, `${name}.`),
    ...toInputs(required, true, `${name}.`),
  }
}

/**
 * The inputs that a node has with its values, by whole name.
 *
 * @param values the node's own: undefined for an input that is not given.
 */
export function activeInputs(
  { inputs }: NodeClass,
  values: (name: string) => unknown,
): Map<string, NodeInput> {
  const active = new Map<string, NodeInput>()
  const add = (group: Record<string, NodeInput>): void => {
    for (const [name, input] of Object.entries(group)) {
      active.set(name, input)
      const { inputsByChoice, inputsIfGiven, entries } = input
      const value = values(name)
      if (inputsByChoice && typeof value === 'string' && Object.hasOwn(inputsByChoice, value))
        add(inputsByChoice[value] ?? {})
      if (inputsIfGiven && value !== undefined) add(inputsIfGiven)
      for (const entry of entries?.names ?? [])
        if (values(entry) !== undefined && entries) active.set(entry, entries.input)
    }
  }
  add(inputs)
  return active
}

/** ComfyUI wraps a list that is a value, because a bare list is a link. */
export function unwrapped(value: unknown): unknown {
  const isWrapped = typeof value === 'object' && value !== null && Object.hasOwn(value, '__value__')
  return isWrapped ? (value as { __value__: unknown }).__value__ : value
}

/**
 * Whether ComfyUI refuses a prompt without this input. A list that grows, and a choice that brings inputs, are inputs only
 * once they are given.
 */
export function isAskedFor({ required, entries, inputsByChoice }: NodeInput): boolean {
  return required && !entries && !inputsByChoice
}

function listOf(value: unknown): unknown[] | undefined {
  return Array.isArray(value) ? (value as unknown[]) : undefined
}

/** Classes of a workflow's nodes, each once. */
export function classesOf(workflow: Json): string[] {
  const types = Object.values(workflow).map((node) => asText(asObject(node).class_type))
  return [...new Set(types.filter((type) => type !== undefined))]
}

/** The inputs of a node as the workflow gives them: links and values. */
export function inputsOf(node: unknown): Json {
  return asObject(asObject(node).inputs)
}

/** Whether an input is connected to another node instead of having a value. */
export function isLink(value: unknown): value is [nodeId: string, slot: number] {
  return (
    Array.isArray(value) &&
    value.length === 2 &&
    typeof value[0] === 'string' &&
    typeof value[1] === 'number'
  )
}
