/** A workflow against what a server says of its node classes. */
import { activeInputs, type NodeClass, type NodeInput, unwrapped } from '../client/nodes.ts'
import { isModelFile } from '../client/refusal.ts'
import { linkProblem, typeProblem } from '../client/type-checks.ts'
import type { FieldType } from './field.ts'
import type { PlannedField } from './compile.ts'
import type { Reporter } from './finding.ts'
import { type JsonNode, valueAt } from './json-text.ts'
import type { Target } from './targets.ts'
import { linkOf, nameOf, type NodeText, type WorkflowText } from './workflow-text.ts'

/** By class name, as `toNodeClass` reads `object_info`. */
export type NodeClasses = Readonly<Record<string, NodeClass>>

/** Classes that write files, where no server says which do; the node packs name theirs alike. */
const WRITES_FILES = /^(?:Save|Preview|VHS_)|Save(?:Image|Video|Audio|GLB)?$/

/** @param replaced inputs with a value that is never sent. */
export function checkNodes(
  workflow: WorkflowText,
  classes: NodeClasses | undefined,
  report: Reporter,
  replaced: readonly Pick<Target, 'nodeId' | 'inputName'>[] = [],
): void {
  const { nodes, body } = workflow
  const all = [...nodes.values()]
  const classOf = ({ classType }: NodeText) =>
    classes && Object.hasOwn(classes, classType) ? classes[classType] : undefined
  const writes = classes
    ? all.some((node) => classOf(node)?.isOutput)
    : all.some(({ classType }) => WRITES_FILES.test(classType))
  if (!writes) {
    const fix = 'add a "Save Image" node, or the one for what it makes'
    const say = classes ? report.error : report.warn
    say(body.start, 'no node of the workflow writes a result, and ComfyUI refuses such a one', fix)
  }
  if (!classes) return
  for (const node of all) {
    const known = classOf(node)
    if (known) checkInputs(node, known, { workflow, classes, report, replaced })
    else {
      const fix = 'install the node pack it belongs to, or use another node'
      report.error(
        node.start,
        `the server has no node "${node.classType}" (node "${node.id}")`,
        fix,
      )
    }
  }
}

/** Whether the values of a field are those its nodes take. */
export function checkField(
  field: PlannedField,
  workflow: WorkflowText,
  classes: NodeClasses,
  { at, report }: { at: number; report: Reporter },
): void {
  for (const { nodeId, inputName } of field.targets) {
    const node = workflow.nodes.get(nodeId)
    const known =
      node && Object.hasOwn(classes, node.classType) ? classes[node.classType] : undefined
    const input = node && known && inputsOf(node, known, workflow).get(inputName)
    if (!input) continue
    const place = `"${inputName}" of ${nameOf(node)}`
    const name = `"${field.name}"`
    if (input.upload && field.type === 'string' && !field.enum) {
      const fix = 'write "type": "image"'
      report.warn(at, `${name} is a string, so callers cannot send an image for ${place}`, fix)
    }
    if (field.type === 'image' && !input.upload) {
      const fix = 'map it to an input that loads a file, such as "image" of LoadImage'
      report.error(
        at,
        `${name} is an image, and ${place} does not take a file that is uploaded`,
        fix,
      )
      continue
    }
    if (!fits(field.type, input)) {
      const fix = `make the field ${typesFor(input).join(' or ')}`
      report.error(at, `${name} is of type ${field.type}, and ${place} takes ${input.type}`, fix)
      continue
    }
    const { min, max, choices, upload } = input
    const { generator } = field
    const lowest = Math.min(field.minimum ?? Infinity, generator?.min ?? Infinity)
    const highest = Math.max(field.maximum ?? -Infinity, generator?.max ?? -Infinity)
    if (min !== undefined && lowest < min) {
      report.error(at, `${name} may be ${lowest}, and ${place} takes at least ${min}`, `use ${min}`)
    }
    if (max !== undefined && highest > max) {
      report.error(at, `${name} may be ${highest}, and ${place} takes at most ${max}`, `use ${max}`)
    } else if (max !== undefined && generator && highest === -Infinity && max < 2 ** 32 - 1) {
      const fix = `add "maximum": ${max}`
      report.error(
        at,
        `${name} is generated up to 2^32 - 1, and ${place} takes at most ${max}`,
        fix,
      )
    }
    if (choices && !upload) checkChoices(field, choices, place, { at, report })
  }
}

function checkChoices(
  field: PlannedField,
  choices: readonly unknown[],
  place: string,
  { at, report }: { at: number; report: Reporter },
): void {
  const named = [...(field.enum ?? []), ...('default' in field ? [field.default] : [])]
  for (const value of named) {
    if (choices.includes(value)) continue
    const fix = `use one of ${listed(choices)}`
    report.error(
      at,
      `"${field.name}" may be ${JSON.stringify(value)}, which is not one of the choices of ${place}`,
      fix,
    )
  }
}

interface Checked {
  workflow: WorkflowText
  classes: NodeClasses
  report: Reporter
  replaced: readonly Pick<Target, 'nodeId' | 'inputName'>[]
}

function checkInputs(node: NodeText, known: NodeClass, checked: Checked): void {
  const { workflow, report, replaced } = checked
  const { text } = workflow
  const inputs = inputsOf(node, known, workflow)
  for (const [name, input] of inputs) {
    if (!input.required || input.entries || node.inputs.has(name)) continue
    const fix = 'connect it or give it a value in ComfyUI, and export the workflow again'
    report.error(node.start, `"${name}" of ${nameOf(node)} is missing`, fix)
  }
  for (const [name, json] of node.inputs) {
    const input = inputs.get(name)
    if (!input) continue
    const place = `"${name}" of ${nameOf(node)}`
    if (linkOf(text, json) !== undefined) {
      checkLink(input, json, place, checked)
      continue
    }
    if (replaced.some(({ nodeId, inputName }) => nodeId === node.id && inputName === name)) continue
    const value = unwrapped(valueAt(text, json))
    const { min, max, choices, upload, multiple } = input
    const problem = typeProblem(input, value)
    if (problem !== undefined) {
      const fix = 'change it in ComfyUI, and export the workflow again'
      report.error(json.start, `${place} is ${short(value)}; it ${problem}`, fix)
    } else if (typeof value === 'number' && /^(?:INT|FLOAT)$/.test(input.type)) {
      if (min !== undefined && value < min) {
        report.error(json.start, `${place} is smaller than ${min}`, `use at least ${min}`)
      }
      if (max !== undefined && value > max) {
        report.error(json.start, `${place} is larger than ${max}`, `use at most ${max}`)
      }
    } else if (choices && !upload) {
      const chosen: unknown[] = multiple && Array.isArray(value) ? value : [value]
      for (const choice of chosen.filter((one) => !choices.includes(one))) {
        const missing = isModelFile(choice) ? 'the server does not have' : 'there is no choice'
        const message = `${place}: ${missing} ${short(choice)}`
        report.error(json.start, message, `use one of ${listed(choices)}`)
      }
    }
  }
}

function checkLink(
  input: NodeInput,
  json: JsonNode,
  place: string,
  { workflow, classes, report }: Checked,
): void {
  const [id, slot] = valueAt(workflow.text, json) as [string, number]
  const source = workflow.nodes.get(id)
  // A link to a node that is not there, and a class that the server does not have, are reported elsewhere.
  if (!source || !Object.hasOwn(classes, source.classType)) return
  const { outputs } = classes[source.classType] ?? { outputs: [] }
  const problem = linkProblem(input, slot, outputs, nameOf(source))
  if (problem === undefined) return
  const fix = 'link it to another output in ComfyUI, and export the workflow again'
  report.error(json.start, `${place} ${problem}`, fix)
}

/** The inputs the node has with its values: some exist only with a certain value of another. */
function inputsOf(
  node: NodeText,
  known: NodeClass,
  { text }: WorkflowText,
): Map<string, NodeInput> {
  return activeInputs(known, (name) => {
    const json = node.inputs.get(name)
    return json && unwrapped(valueAt(text, json))
  })
}

const BY_INPUT = new Map<string, readonly FieldType[]>([
  ['INT', ['integer']],
  ['FLOAT', ['number', 'integer']],
  ['STRING', ['string']],
  ['BOOLEAN', ['boolean']],
])

function typesFor(input: NodeInput): readonly FieldType[] {
  const { type, choices } = input
  if (!choices) {
    // `INT,FLOAT` takes either; `INT,MASK` takes a link too.
    const each = type.split(',').map((one) => BY_INPUT.get(one))
    return each.includes(undefined) ? [] : [...new Set(each.flatMap((types) => types ?? []))]
  }
  if (input.upload) return ['image', 'string']
  const kinds = new Set(choices.map((choice) => (typeof choice === 'number' ? 'number' : 'string')))
  return kinds.has('number') ? ['number', 'integer', 'string'] : ['string']
}

/** Whether a field of this type fits the input. An input with a type that only the server knows takes every field. */
function fits(type: FieldType, input: NodeInput): boolean {
  const types = typesFor(input)
  return types.length === 0 || types.includes(type)
}

function listed(choices: readonly unknown[]): string {
  const shown = choices.slice(0, 8).map(short)
  if (shown.length === 0) return 'those the server will have: it has none now'
  return choices.length > shown.length ? `${shown.join(', ')} …` : shown.join(', ')
}

/** Characters of one value in a message: names of models may be long, and a choice may be an object. */
const MAX_VALUE_LENGTH = 80

function short(value: unknown): string {
  const text = JSON.stringify(value) ?? 'undefined'
  return text.length > MAX_VALUE_LENGTH ? `${text.slice(0, MAX_VALUE_LENGTH)}…` : text
}
