/** Numbers, choices and images of a workflow as fields. */
import type { NodeInput } from '../../client/nodes.ts'
import type { FieldType } from '../field.ts'
import { isImprecise, type JsonNode, valueAt } from '../json-text.ts'
import type { NodeText } from '../workflow-text.ts'
import { loaderOf } from '../loaders.ts'
import type { Graph } from './graph.ts'
import { wordOf } from './input-words.ts'
import {
  canonicalName,
  isOfCaller,
  knownInput,
  maxSeed,
  toWords,
  typeByName,
} from './known-inputs.ts'
import { type Placeholder, placeholderOf } from './placeholder.ts'
import type { Draft } from './proposed.ts'
import { isPrimitive } from './text-names.ts'
import { type Title, titleOf } from './titles.ts'

/** A list of more would fill the tool's description. */
const MAX_CHOICES = 40

export function valueDraft(
  node: NodeText,
  inputName: string,
  json: JsonNode,
  graph: Graph,
): Draft | undefined {
  const { text } = graph.workflow
  const value = valueAt(text, json)
  const placeholder = placeholderOf(value)
  const title = isPrimitive(node, inputName) ? titleOf(node) : undefined
  const input = graph.inputOf(node, inputName)
  const mapping = { node: node.id, attribute: inputName }
  const file = fileType(node, inputName, input)
  // The author's file is not on the server of the caller.
  if (file && json.kind === 'string') {
    return { ...file, description: fileWords(file, node), required: true, mapping, value }
  }
  const name = nameOf({ node, inputName, title, placeholder }, graph)
  if (name === undefined) return undefined
  const description = knownDescription(name, title)
  if (name === 'seed') {
    if (json.kind !== 'number' && !placeholder) return undefined
    return { name, type: 'integer', description, ...seedLimits(node, input), mapping }
  }
  const type = typeOf({ node, name, json, input, placeholder }, text)
  if (!type || isImprecise(text, json)) return undefined
  const base = { name, type, description, mapping, value }
  const limits = limitsOf(input, type, value)
  if (placeholder) {
    const given = input?.default
    const isUsable = typeof given === (type === 'integer' ? 'number' : type)
    return { ...base, ...(isUsable ? { default: given } : { required: true }), ...limits }
  }
  const { choices } = input ?? {}
  const isListed = choices && choices.length <= MAX_CHOICES && choices.includes(value)
  const must = title?.required ? { required: true } : { default: value }
  return { ...base, ...must, ...(isListed && { enum: choices }), ...limits }
}

interface Named {
  node: NodeText
  inputName: string
  title: Title | undefined
  placeholder: Placeholder | undefined
}

/** The title of a primitive, else the input that it leads to, else its own name. */
function nameOf({ node, inputName, title, placeholder }: Named, graph: Graph): string | undefined {
  const own = canonicalName(wordOf(inputName))
  if (isPrimitive(node, inputName)) {
    if (title) return title.name
    const leadsTo = graph
      .consumersOf(node.id)
      .map((consumer) => canonicalName(wordOf(consumer.inputName)))
    const known = leadsTo.find((name) => knownInput(name))
    if (known !== undefined) return known
  } else if (knownInput(own)) return own
  if (!placeholder || !isOfCaller(wordOf(inputName))) return undefined
  return canonicalName(placeholder.name)
}

function knownDescription(name: string, title: Title | undefined): string {
  const said = title && title.description !== title.name ? title.description : undefined
  // What an author wrote about a parameter, and not only how it is called.
  if (said !== undefined && canonicalName(said.toLowerCase().replace(/\W+/g, '_')) !== name)
    return said
  return knownInput(name)?.description ?? toWords(name)
}

function seedLimits(
  { classType }: NodeText,
  input: NodeInput | undefined,
): Omit<Draft, 'name' | 'type' | 'mapping' | 'description'> {
  const max = input?.max
  if (!input || max === undefined)
    return { minimum: 0, generator: { type: 'seed', options: { max: maxSeed(classType) } } }
  const isSmall = max < Number.MAX_SAFE_INTEGER
  return { minimum: 0, ...(isSmall && { maximum: max }), generator: { type: 'seed' } }
}

type FileDraft = Pick<Draft, 'name' | 'type' | 'description'>

const FILES: Readonly<Partial<Record<FieldType, FileDraft>>> = {
  image: { name: 'image', type: 'image', description: 'The image to start from' },
  video: { name: 'video', type: 'video', description: 'The video to start from' },
  audio: { name: 'audio', type: 'audio', description: 'The sound to start from' },
  model3d: { name: 'model', type: 'model3d', description: 'The 3D model to start from' },
}

/** What an input that loads a file becomes; `undefined` for any other. */
function fileType(
  { classType }: NodeText,
  inputName: string,
  input: NodeInput | undefined,
): FileDraft | undefined {
  const own = input?.upload ? (input.media ?? 'image') : undefined
  const type = input ? own : loaderOf(classType, inputName)
  return type && FILES[type]
}

/** Which of several files it is, in the words of the author. The editor titles loaders by itself. */
function fileWords({ description }: FileDraft, node: NodeText): string {
  const title = titleOf(node)?.description
  return title === undefined || /^(?:load|加载)/i.test(title)
    ? description
    : `${description} (${title})`
}

interface Typed {
  node: NodeText
  name: string
  json: JsonNode
  input: NodeInput | undefined
  placeholder: Placeholder | undefined
}

const BY_INPUT: Readonly<Record<string, FieldType>> = {
  ...{ FLOAT: 'number', INT: 'integer', BOOLEAN: 'boolean', STRING: 'string' },
}

function typeOf(
  { node, name, json, input, placeholder }: Typed,
  text: string,
): FieldType | undefined {
  const byInput = input && BY_INPUT[input.type]
  if (placeholder)
    return byInput ?? placeholder.type ?? typeByName(node.classType, name) ?? 'string'
  if (json.kind === 'string' || json.kind === 'boolean') return json.kind
  if (json.kind !== 'number') return undefined
  if (byInput === 'number' || byInput === 'integer') return byInput
  const isWhole =
    Number.isInteger(valueAt(text, json)) && !/[.eE]/.test(text.slice(json.start, json.end))
  return isWhole ? (typeByName(node.classType, name) ?? 'integer') : 'number'
}

/** Limits that a JSON number cannot hold limit nothing. */
function limitsOf(
  input: NodeInput | undefined,
  type: FieldType,
  value: unknown,
): { minimum?: number; maximum?: number } {
  if (type !== 'integer' && type !== 'number') return {}
  const { min = -Infinity, max = Infinity } = input ?? {}
  // The lint refuses a default beyond a limit, and reports the value of the workflow anyway.
  if (typeof value === 'number' && (value < min || value > max)) return {}
  return {
    ...(min > Number.MIN_SAFE_INTEGER && { minimum: min }),
    ...(max < Number.MAX_SAFE_INTEGER && { maximum: max }),
  }
}
