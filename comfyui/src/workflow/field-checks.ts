/** A field against what a server says of the inputs that it is written to. */
import type { NodeInput } from '../client/nodes.ts'
import type { PlannedField } from './compile.ts'
import { type FieldType, isFile } from './field.ts'
import type { Reporter } from './finding.ts'
import { inputsOf, listed, type NodeClasses, sayOf } from './node-checks.ts'
import { nameOf, type WorkflowText } from './workflow-text.ts'

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
      const fix = `write "type": "${input.media ?? 'image'}"`
      report.warn(at, `${name} is a string, so callers cannot send a file for ${place}`, fix)
    }
    if (isFile(field) && !input.upload) {
      const fix = 'map it to an input that loads a file, such as "image" of LoadImage'
      const what = `${name} is of type ${field.type}`
      report.error(at, `${what}, and ${place} does not take a file that is uploaded`, fix)
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
    if (choices && !upload) checkChoices(field, input, place, { at, report })
  }
}

function checkChoices(
  field: PlannedField,
  input: NodeInput,
  place: string,
  { at, report }: { at: number; report: Reporter },
): void {
  const { choices = [] } = input
  const named = [...(field.enum ?? []), ...('default' in field ? [field.default] : [])]
  for (const value of named) {
    const say = sayOf(input, value, report)
    if (!say) continue
    const fix = `use one of ${listed(choices, value)}`
    say(
      at,
      `"${field.name}" may be ${JSON.stringify(value)}, which is not one of the choices of ${place}`,
      fix,
    )
  }
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
  if (input.upload) return [input.media ?? 'image', 'string']
  const kinds = new Set(choices.map((choice) => (typeof choice === 'number' ? 'number' : 'string')))
  return kinds.has('number') ? ['number', 'integer', 'string'] : ['string']
}

/** Whether a field of this type fits the input. An input with a type that only the server knows takes every field. */
function fits(type: FieldType, input: NodeInput): boolean {
  const types = typesFor(input)
  return types.length === 0 || types.includes(type)
}
