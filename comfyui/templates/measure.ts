/** What `ftl workflows init` makes of one workflow, against what the server says of its nodes. */
import { activeInputs, type NodeInput, toNodeClass } from '../src/client/nodes.ts'
import {
  assemble,
  type NodeClasses,
  type ProposedField,
  proposeTool,
  readSources,
} from '../src/workflow/index.ts'
import type { Converted, ObjectInfo } from '../src/editor/index.ts'

type ApiWorkflow = Converted['workflow']

/** What can be wrong with a proposal; each counts once a workflow. */
export const FAULTS = {
  refused: 'no tool at all',
  noFields: 'a tool without a field',
  noPrompt: 'no text input has a field',
  someText: 'a text input without a field',
  onlyNegative: 'a negative prompt and no other text field',
  wrongRole: 'a text with the wrong role',
  differentTexts: 'one field for different texts',
  wholeDecimals: 'a decimal as an integer',
  seedTooLarge: 'a generated seed that an input refuses',
  fixedSeed: 'a seed without a field',
  titled: 'a titled primitive without a field',
  optionalImage: 'an image that is not required',
  lint: 'a configuration that the lint refuses',
} as const
export type Fault = keyof typeof FAULTS

export interface Measured {
  /** It has an input with a text that a caller would change. */
  hasText: boolean
  faults: Fault[]
  /** Which inputs, for a person: `6 CLIPTextEncode.text`. */
  notes: string[]
}

interface Input {
  id: string
  classType: string
  title: string
  name: string
  value: unknown
  known: NodeInput | undefined
}

const TEXT_NAMES = /^(?:.*_)?(?:prompt|text|tags|lyrics|text_[gl]|clip_[lg]|t5xxl)$/
/** Nodes that write, show or cut texts. */
const GLUE = /Save|Preview|Show|Concat|Replace|Regex|Format|Split|Compare|Contains|Length|Json/
/** Inputs with formulas, programs, lists and names of files. */
const NO_SENTENCE = /expression|shader|sigmas|pattern|filename|_id$|json|model|code/
const DECIMALS = new Set(['denoise', 'cfg', 'guidance', 'fps', 'frame_rate', 'seconds'])

/** @param isOffline the proposal is made without what the server says. */
export async function measure(
  workflow: ApiWorkflow,
  info: ObjectInfo,
  { isOffline }: { isOffline: boolean },
): Promise<Measured> {
  const classes = Object.fromEntries(
    Object.entries(info).map(([name, each]) => [name, toNodeClass(each)]),
  )
  const text = JSON.stringify(workflow)
  const file = { path: 'workflows/t.json', text }
  const { tool } = proposeTool(file, 't', isOffline ? undefined : classes)
  const inputs = inputsOf(workflow, classes)
  const texts = inputs.filter(isText)
  if (!tool) return { hasText: texts.length > 0, faults: ['refused'], notes: [] }
  const faults = new Set<Fault>()
  const notes: string[] = []
  const add = (fault: Fault, { id, classType, name }: Pick<Input, 'id' | 'classType' | 'name'>) => {
    faults.add(fault)
    notes.push(`${fault}: ${id} ${classType}.${name}`)
  }
  const fieldOf = fieldsByInput(tool.fields)
  if (tool.fields.length === 0) faults.add('noFields')
  const missing = texts.filter((input) => !fieldOf(input))
  for (const input of missing) add('someText', input)
  if (texts.length > 0 && missing.length === texts.length) faults.add('noPrompt')
  const isNegative = ({ name }: ProposedField) => name.startsWith('negative_prompt')
  const ofTexts = inputs.filter(({ value }) => typeof value === 'string').map(fieldOf)
  const hasOther = ofTexts.some((field) => field?.required && !isNegative(field))
  if (tool.fields.some(isNegative) && texts.length > 0 && !hasOther) faults.add('onlyNegative')
  for (const input of texts) {
    const field = fieldOf(input)
    if (field && isWrong(field, input, workflow, classes)) add('wrongRole', input)
  }
  for (const field of tool.fields) {
    const values = texts.filter((input) => fieldOf(input) === field).map(({ value }) => value)
    if (new Set(values).size > 1) add('differentTexts', { id: '', classType: '', name: field.name })
  }
  for (const input of inputs) {
    const field = fieldOf(input)
    const { name, known, value } = input
    const last = name.split('.').at(-1) ?? name
    if (field?.type === 'integer' && DECIMALS.has(last) && known?.type === 'FLOAT')
      add('wholeDecimals', input)
    if (/^(?:noise_)?seed$/i.test(last) && typeof value === 'number') {
      if (!field) add('fixedSeed', input)
      else if (mostOf(field) > (known?.max ?? Infinity)) add('seedTooLarge', input)
    }
    if (isTitled(input) && !field) add('titled', input)
    if (known?.upload && name === 'image' && field?.required !== true) add('optionalImage', input)
  }
  const config = JSON.stringify([{ ...tool, workflow: 't.json' }])
  const sources = await readSources({ config: ['t.json'], workflows: ['t.json'] }, (path) =>
    Promise.resolve(path.startsWith('config') ? config : text),
  )
  for (const { message } of assemble(sources).findings.filter((f) => f.severity === 'error')) {
    faults.add('lint')
    notes.push(message)
  }
  return { hasText: texts.length > 0, faults: [...faults], notes }
}

/** Values of nodes, without links. */
function inputsOf(workflow: ApiWorkflow, classes: NodeClasses): Input[] {
  return Object.entries(workflow).flatMap(([id, { class_type, inputs, _meta }]) => {
    const known = Object.hasOwn(classes, class_type) ? classes[class_type] : undefined
    const active = known && activeInputs(known, (name) => inputs[name])
    return Object.entries(inputs)
      .filter(([, value]) => !isLinked(value))
      .map(([name, value]) => {
        const base = { id, classType: class_type, title: _meta.title, name, value }
        return { ...base, known: active?.get(name) }
      })
  })
}

function isText({ classType, name, value, known }: Input): boolean {
  if (typeof value !== 'string' || value.trim() === '' || GLUE.test(classType)) return false
  if (known && known.type !== 'STRING') return false
  const last = name.split('.').at(-1) ?? name
  if (TEXT_NAMES.test(last) || /^PrimitiveString/.test(classType)) return true
  // Under any other name, a sentence.
  return known !== undefined && /\s\S+\s+\S+\s/.test(value) && !NO_SENTENCE.test(last)
}

/** An author's own name for a number that a caller may change. */
function isTitled({ classType, title, name, value }: Input): boolean {
  if (name !== 'value' || !/^Primitive(?:Int|Float)$/.test(classType)) return false
  return typeof value === 'number' && /width|height|length|duration|steps|cfg|fps/i.test(title)
}

function isWrong(
  { name }: ProposedField,
  input: Input,
  workflow: ApiWorkflow,
  classes: NodeClasses,
): boolean {
  const isNegative = name.startsWith('negative_prompt')
  if (/negative/.test(input.name)) return !isNegative
  if (/system/i.test(input.title) || /system/.test(input.name))
    return /positive|negative/.test(name)
  const ends = endsOf(input.id, workflow, classes)
  if (ends.has('positive')) return isNegative
  return ends.has('negative') ? !isNegative : false
}

/** The inputs named positive or negative that conditionings and texts of a node lead to, links that zero them left out. */
function endsOf(start: string, workflow: ApiWorkflow, classes: NodeClasses): Set<string> {
  const ends = new Set<string>()
  const seen = new Set([start])
  for (const id of seen) {
    for (const [other, node] of Object.entries(workflow)) {
      if (node.class_type === 'ConditioningZeroOut') continue
      for (const [name, value] of Object.entries(node.inputs)) {
        if (!isLinked(value) || value[0] !== id) continue
        const type = classes[workflow[id]?.class_type ?? '']?.outputs[value[1]]
        if (type !== undefined && !/^(?:CONDITIONING|STRING|\*|COMFY_MATCH.*)$/.test(type)) continue
        if (/^(?:positive|negative)$/.test(name)) ends.add(name)
        else seen.add(other)
      }
    }
  }
  return ends
}

function isLinked(value: unknown): value is [string, number] {
  return (
    Array.isArray(value) &&
    value.length === 2 &&
    typeof value[0] === 'string' &&
    typeof value[1] === 'number'
  )
}

function mostOf({ maximum, generator }: ProposedField): number {
  return Math.min(maximum ?? Infinity, generator?.options?.max ?? 2 ** 32 - 1)
}

function fieldsByInput(fields: readonly ProposedField[]) {
  const byInput = new Map(
    fields.flatMap((field) =>
      [field.mapping].flat().map(({ node, attribute }) => [`${node} ${attribute}`, field] as const),
    ),
  )
  return ({ id, name }: Pick<Input, 'id' | 'name'>) => byInput.get(`${id} ${name}`)
}
