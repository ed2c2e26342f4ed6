/** Texts of a workflow as fields. */
import { endsOf } from './text-ends.ts'
import { findText, type FoundText } from './text-names.ts'
import type { Graph } from './graph.ts'
import { toWords } from './known-inputs.ts'
import { placeholderOf } from './placeholder.ts'
import type { Draft } from './proposed.ts'
import { titleOf } from './titles.ts'

interface Role {
  /** Of the field. */
  name: string
  description: string
  required: boolean
  /** It is what the tool makes something of. */
  isMain: boolean
}

const POSITIVE: Role = {
  name: 'positive_prompt',
  description: 'What the result shows',
  required: true,
  isMain: true,
}
const NEGATIVE: Role = {
  name: 'negative_prompt',
  description: 'What the result must not show',
  required: false,
  isMain: false,
}
const SYSTEM: Role = {
  name: 'system_prompt',
  description: 'How the model that writes the prompt behaves',
  required: false,
  isMain: false,
}
const OBJECT: Role = {
  name: 'object',
  description: 'What is looked for in the image',
  required: true,
  isMain: false,
}

/** Nodes that say a text aloud. */
const SPEAKS = /TTS|Speech|Voice|Dialogue/i
/** Nodes whose text is nothing without a sampler. */
const ENCODES = /TextEncode/

/** @param options `hasMain`: another field says what the tool makes something of. */
export function textDrafts(graph: Graph, options = { hasMain: false }): Draft[] {
  const found = [...graph.workflow.nodes.values()].flatMap((node) =>
    [...node.inputs].flatMap(([name, json]) => findText(node, name, json, graph) ?? []),
  )
  const texts = found.map((text) => ({ text, ends: endsOf(text.node, graph) }))
  const hasPositive = texts.some(({ text, ends }) => text.kind.kind === 'prompt' && ends.positive)
  const roles = texts.map(({ text, ends }) => {
    const { kind, name, node } = text
    if (kind.kind === 'own') {
      const { description, required = false } = kind
      return { name, description, required, isMain: required }
    }
    if (kind.kind === 'part') {
      return { name, description: 'Part of the text', required: false, isMain: false }
    }
    if (kind.kind === 'system') return SYSTEM
    if (kind.kind === 'negative') return NEGATIVE
    if (ends.positive) return POSITIVE
    if (ends.negative) return NEGATIVE
    if (ends.system) return SYSTEM
    if (/negative|负面|负向|反向/i.test(node.title ?? '')) return NEGATIVE
    if (ends.finds) return OBJECT
    if (SPEAKS.test(node.classType) && name === 'text')
      return { name, description: 'The text that is spoken', required: true, isMain: true }
    return hasPositive && ENCODES.test(node.classType) ? { ...POSITIVE, required: false } : POSITIVE
  })
  const hasMain = options.hasMain || roles.some(({ isMain, required }) => isMain && required)
  // Of parts alone the longest says most of what is made.
  const parts = texts.filter(({ text }) => text.kind.kind === 'part')
  const longest = Math.max(...parts.map(({ text }) => text.value.length))
  const first = parts.find(({ text }) => text.value.length === longest)?.text
  const hasFull = texts.some(({ text }, index) => roles[index] === POSITIVE && !isBlank(text))
  const drafts = texts.map(({ text, ends }, index) => {
    const role = roles[index] ?? POSITIVE
    const isAlone = !hasMain && text.isMain && !ends.negative && !ends.system
    if (isAlone && text === first) return draftOf(text, POSITIVE)
    if (isAlone && text.kind.kind === 'own') return draftOf(text, { ...role, required: true })
    const isSpare = role === POSITIVE && hasFull && isBlank(text)
    return draftOf(text, isSpare ? { ...role, required: false } : role)
  })
  // Of two fields of one name the first keeps it.
  return [...drafts.filter(({ required }) => required), ...drafts.filter((each) => !each.required)]
}

function draftOf({ node, inputName, value }: FoundText, role: Role): Draft {
  const { name, required } = role
  const title = titleOf(node)?.description
  const said = role.description || toWords(name)
  // Titles distinguish several texts of one role.
  const isNamed = title !== undefined && !/prompt\W*$|^clip |text encode/i.test(title)
  const description = isNamed && title !== said ? `${said} (${title})` : said
  const base = { name, type: 'string' as const, description, value }
  const mapping = { node: node.id, attribute: inputName }
  if (required || placeholderOf(value)) {
    const isLeftOut = !required && role !== SYSTEM
    return isLeftOut && role === NEGATIVE
      ? { ...base, default: '', mapping }
      : { ...base, required: true, mapping }
  }
  return { ...base, default: value, mapping }
}

function isBlank({ value }: FoundText): boolean {
  return value.trim() === ''
}
