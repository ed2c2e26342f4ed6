/**
 * Parameters that the author of a workflow has marked, for a program that runs it: with nodes of ComfyDeploy, SwarmUI, fal or
 * the AI plug-in of Krita. Each names its parameter, and says what it is for and which values it takes.
 */
import { isArrayOf } from 'ftl-contract'
import type { FieldType } from '../field.ts'
import { type JsonNode, valueAt } from '../json-text.ts'
import { linkOf, type NodeText } from '../workflow-text.ts'
import type { Graph } from './graph.ts'
import { englishOf, wordOf } from './input-words.ts'
import { canonicalName, maxSeed, textName, toWords } from './known-inputs.ts'
import type { Draft } from './proposed.ts'
import { endsOf } from './text-ends.ts'
import { toName } from './titles.ts'

/** Names of a node's inputs. */
interface Marking {
  /** Has the parameter's name. */
  name: string
  /** The first that is there has the value. */
  values: readonly string[]
  descriptions?: readonly string[]
  limits: readonly [least: string, most: string]
  /** Has what the value is one of: a list as JSON, or with commas. */
  choices?: string
  /** The value is a file: what the caller sends instead of a name. */
  file?: string
}

/** The server fetches it. */
export const ADDRESS = 'Address of the file'
const SWARM: Marking = {
  name: 'title',
  values: ['value'],
  descriptions: ['description'],
  limits: ['min', 'max'],
  choices: 'values',
}
const DEPLOY: Marking = {
  name: 'input_id',
  values: ['default_value', 'default_lora_name', 'default_face_model_name'],
  descriptions: ['description', 'display_name'],
  limits: ['min_value', 'max_value'],
  choices: 'options',
}

/** The first that fits. */
const MARKINGS: readonly [classType: RegExp, marking: Marking][] = [
  // These take the file from where the parameter's name stands.
  [
    /^ComfyUIDeployExternal(?:Image(?:Alpha)?|Vid(?:eo)?)$/,
    { ...DEPLOY, values: ['input_id'], file: ADDRESS },
  ],
  [
    /^ComfyUIDeployExternal(?:Audio|EXR|File|ImageBatch)$/,
    { ...DEPLOY, values: ['audio_file', 'exr_file', 'file_url', 'images'], file: ADDRESS },
  ],
  [/^ComfyUIDeployExternal/, DEPLOY],
  [/^SwarmInput(?:Image|Audio|Video)$/, { ...SWARM, file: 'The file in base64' }],
  [/^SwarmInput(?!Group|Model)/, SWARM],
  [/^\w+Input_fal$/, { name: 'name', values: ['value', 'number'], limits: ['min', 'max'] }],
  [/^ETN_Parameter$/, { name: 'name', values: ['default'], limits: ['min', 'max'] }],
]

/** @returns `undefined` for a node that marks nothing. */
export function markedDraft(node: NodeText, graph: Graph): Draft | undefined {
  const [, marking] = MARKINGS.find(([classType]) => classType.test(node.classType)) ?? []
  if (!marking) return undefined
  const { text } = graph.workflow
  const read = (input: string): unknown => {
    const json = node.inputs.get(input)
    return json && linkOf(text, json) === undefined ? valueAt(text, json) : undefined
  }
  const name = nameOf(read(marking.name))
  const attribute = marking.values.find((input) => read(input) !== undefined)
  const json = attribute === undefined ? undefined : node.inputs.get(attribute)
  if (name === undefined || attribute === undefined || !json) return undefined
  const mapping = { node: node.id, attribute }
  const said = (marking.descriptions ?? []).map(read).find((each) => isSaid(each))
  if (marking.file !== undefined) {
    const description = said === undefined ? marking.file : `${said} (${marking.file})`
    return { name, type: 'string', description, required: true, mapping }
  }
  const value = read(attribute)
  const choices = choicesOf(marking.choices === undefined ? undefined : read(marking.choices))
  if (choices.includes(value)) {
    return {
      name,
      type: 'string',
      description: said ?? toWords(name),
      enum: choices,
      default: value,
      value,
      mapping,
    }
  }
  if (typeof value === 'string') return textDraft({ node, name, value, said, mapping }, graph)
  if (name === 'seed' && typeof value === 'number') {
    const generator = { type: 'seed' as const, options: { max: maxSeed(node.classType) } }
    const least = Math.max(0, limitsOf(value, marking.limits.map(read)).minimum ?? 0)
    return { name, type: 'integer', description: said ?? SEED, minimum: least, generator, mapping }
  }
  const type = typeOf(node, value, json, text)
  const base = { name, description: said ?? toWords(name), default: value, value, mapping }
  return type && { ...base, type, ...limitsOf(value, marking.limits.map(read)) }
}

const SECRET = /(?:^|_)(?:api_?key|key|token|secret|password|credential)s?(?:_|$)/

const SEED = 'The same seed gives the same result; chosen at random when absent'

function isSaid(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== ''
}

function choicesOf(value: unknown): unknown[] {
  if (!isSaid(value)) return []
  try {
    const list: unknown = JSON.parse(value)
    return isArrayOf(list, isSaid) ? list : []
  } catch {
    return value.split(',').map((each) => each.trim())
  }
}

/** `seed` of `Sampling/2. Seed`: Krita's plug-in has groups, and an order. */
function nameOf(value: unknown): string | undefined {
  if (!isSaid(value)) return undefined
  const own = (value.split('/').at(-1) ?? value).replace(/^\s*\d+\.\s*/, '').trim()
  const name = englishOf(own) ?? toName(own)
  return name === '' ? own : canonicalName(name)
}

interface MarkedText {
  node: NodeText
  name: string
  value: string
  said: string | undefined
  mapping: Draft['mapping']
}

/** What the result shows is asked for; any other text has the author's value. */
function textDraft({ node, name, value, said, mapping }: MarkedText, graph: Graph): Draft {
  const ends = endsOf(node, graph)
  const kind = textName(name)?.kind
  const isPrompt = [name, ...graph.consumersOf(node.id).map((each) => wordOf(each.inputName))].some(
    (each) => textName(each)?.kind === 'prompt',
  )
  const isMain = ends.positive || (isPrompt && !ends.negative && kind !== 'negative')
  const usual = isMain
    ? 'What the result shows'
    : ends.negative || kind === 'negative'
      ? 'What the result must not show'
      : toWords(name)
  const base = { name, type: 'string' as const, description: said ?? usual, value, mapping }
  if (isMain) return { ...base, required: true }
  // Every caller could read it: the workflow keeps its own value.
  return SECRET.test(name) ? { ...base, required: false } : { ...base, default: value }
}

function typeOf(
  node: NodeText,
  value: unknown,
  json: JsonNode,
  text: string,
): FieldType | undefined {
  if (typeof value === 'boolean') return 'boolean'
  if (typeof value !== 'number' || !Number.isSafeInteger(Math.round(value))) return undefined
  const isWhole = Number.isInteger(value) && !/[.eE]/.test(text.slice(json.start, json.end))
  // The export writes 1 for a decimal, too, and these classes say which they are.
  const isDecimal = /Float|ExternalNumber(?:Slider)?$/.test(node.classType)
  return isWhole && !isDecimal ? 'integer' : 'number'
}

/** Limits that the author's value keeps. Some nodes have the largest numbers there are. */
function limitsOf(value: unknown, [least, most]: readonly unknown[]): Partial<Draft> {
  if (typeof value !== 'number') return {}
  const isLimit = (limit: unknown): limit is number =>
    typeof limit === 'number' && Number.isSafeInteger(Math.round(limit))
  return {
    ...(isLimit(least) && least <= value && { minimum: least }),
    ...(isLimit(most) && most >= value && { maximum: most }),
  }
}
