/** Which inputs hold a text of the caller, by the server, by their name, by the title, and by where a primitive leads. */
import { valueAt } from '../json-text.ts'
import type { JsonNode } from '../json-text.ts'
import type { NodeText } from '../workflow-text.ts'
import type { Graph } from './graph.ts'
import { wordOf } from './input-words.ts'
import { isOfCaller, isSentence, textName, type TextName, toWords } from './known-inputs.ts'
import { titleOf } from './titles.ts'

export type TextKind =
  | TextName
  /** Part of a text that other nodes complete. */
  | { kind: 'part' }

export interface FoundText {
  node: NodeText
  inputName: string
  value: string
  kind: TextKind
  /** The field's name if the kind is `own`. */
  name: string
  /** It may be the main text, if no other is. */
  isMain: boolean
}

/** Nodes that write or show a text. */
const ENDS = /^(?:Save|Preview|Show|Display)|Note$/
/** Nodes that make one text of others. */
const JOINS = /Concat|Join|Replace|Regex|Substring|Trim|Format|Compare|Contains|Split/i
const PARTS = /^(?:string|text)(?:_?[a-z0-9])?$|^replace$/i
/** Inputs that pass a text on. */
const PASSES = /^(?:string|text|value|source|input|any|str)(?:_?\w)?$|^(?:a|b|on_true|on_false)$/i

export function findText(
  node: NodeText,
  inputName: string,
  json: JsonNode,
  graph: Graph,
): FoundText | undefined {
  if (json.kind !== 'string' || ENDS.test(node.classType)) return undefined
  const input = graph.inputOf(node, inputName)
  const last = wordOf(inputName)
  if ((input && input.type !== 'STRING') || !isOfCaller(last)) return undefined
  if (isMadeOfOther(node, last, graph)) return undefined
  const value = valueAt(graph.workflow.text, json) as string
  const base = { node, inputName, value, name: last.toLowerCase(), isMain: true }
  if (JOINS.test(node.classType)) {
    return PARTS.test(last) && value.trim() !== '' ? { ...base, kind: { kind: 'part' } } : undefined
  }
  if (isPrimitive(node, last)) return ofPrimitive(base, graph)
  const isOther = input?.multiline === true || isSentence(last, value)
  const kind = textName(last) ?? (isOther ? own(last) : undefined)
  return kind && { ...base, kind }
}

/**
 * Of the two texts of the Impact Pack's wildcards: the server writes the one into the other, unless the mode keeps that.
 *
 * @see https://github.com/ltdrdata/ComfyUI-Impact-Pack
 */
function isMadeOfOther(node: NodeText, name: string, graph: Graph): boolean {
  if (!/^(?:wildcard|populated)_text$/.test(name)) return false
  const mode = node.inputs.get('mode')
  const isKept =
    mode && [false, 'fixed', 'reproduce'].includes(valueAt(graph.workflow.text, mode) as string)
  return isKept ? name === 'wildcard_text' : name === 'populated_text'
}

/** Whether the node only holds a value, so that its input has no name that says something. */
export function isPrimitive({ classType }: NodeText, inputName: string): boolean {
  return inputName === 'value' || /^Primitive|^(?:easy )?string$/i.test(classType)
}

function ofPrimitive(base: Omit<FoundText, 'kind'>, graph: Graph): FoundText | undefined {
  const title = titleOf(base.node)
  const consumers = graph.consumersOf(base.node.id).map(({ inputName }) => wordOf(inputName))
  if (title) {
    const byTitle = textName(title.name) ?? ofTitle(title.name)
    if (byTitle) return { ...base, name: title.name, kind: byTitle }
    const { name, description } = title
    return { ...base, name, kind: { kind: 'own', description }, isMain: leadsToText(consumers) }
  }
  const [consumer] = consumers
  if (consumer === undefined) return undefined
  if (!leadsToText(consumers)) {
    if (!isOfCaller(consumer)) return undefined
    return { ...base, name: consumer, kind: own(consumer), isMain: false }
  }
  const name = consumers.find((each) => textName(each)?.kind === 'own')
  const kind = name === undefined ? undefined : textName(name)
  return { ...base, name: name ?? base.name, kind: kind ?? { kind: 'prompt' } }
}

/** `Prompt close up` is a prompt of its own, and so is `Describe the product`. */
function ofTitle(name: string): TextKind | undefined {
  return /prompt|positive|caption|describe|^(?:user_)?(?:text|input)/.test(name)
    ? { kind: /system/.test(name) ? 'system' : 'prompt' }
    : undefined
}

function leadsToText(consumers: readonly string[]): boolean {
  return consumers.some((name) => PASSES.test(name) || textName(name) !== undefined)
}

function own(name: string): TextKind {
  return { kind: 'own', description: toWords(name) }
}
