/** One field of a tool's configuration: a parameter, its limits, and where it goes. */
import { type Field, FIELD_TYPES, type FieldType, problemOf } from './field.ts'
import type { Reporter } from './finding.ts'
import { type JsonNode, valueAt } from './json-text.ts'
import { readGenerator, readLimit } from './read-generator.ts'
import { type Mapping, readMappings } from './read-mapping.ts'
import { readMembers, reasonNotText } from './read-members.ts'

export interface ConfiguredField extends Field {
  mappings: Mapping[]
  at: number
}

const KEYS = [
  ...['name', 'type', 'description', 'required', 'default', 'enum', 'minimum', 'maximum'],
  ...['mapping', 'generator', 'of'],
]

/** @returns `undefined` when the field cannot be used, which is reported. */
export function readField(node: JsonNode, report: Reporter): ConfiguredField | undefined {
  const members = readMembers(node, 'a field', KEYS, report)
  if (!members) return undefined
  const before = report.findings.filter(({ severity }) => severity === 'error').length
  const { text } = report
  const name = readName(members.get('name'), node, report)
  const type = readType(members.get('type'), report)
  const mapping = members.get('mapping')
  const mappings = type === 'mask' ? [] : readMappings(mapping, node, report)
  if (type === 'mask' && mapping) {
    const fix = 'remove it; for a LoadImageMask node, make the field an "image"'
    report.error(mapping.start, 'a mask goes into the image that "of" names', fix)
  }
  const generator = readGenerator(members.get('generator'), type, report)
  const enumNode = members.get('enum')
  const limits = {
    ...readLimit('minimum', members, type, report),
    ...readLimit('maximum', members, type, report),
    ...(enumNode && { enum: readEnum(enumNode, type, report) }),
  }
  const { minimum = -Infinity, maximum = Infinity } = limits
  if (minimum > maximum) {
    report.error(node.start, '"minimum" is larger than "maximum"', 'exchange them')
  }
  const field: ConfiguredField = { name, type, required: false, mappings, at: node.start }
  const description = members.get('description')
  if (description) {
    const reason = reasonNotText(description)
    if (reason) report.error(description.start, `"description" ${reason}`, 'write a text')
    else field.description = valueAt(text, description) as string
  }
  Object.assign(field, limits, generator && { generator })
  const image = readImageField(members.get('of'), node, type, report)
  if (image !== undefined) field.of = image
  readDefault(members.get('default'), field, report)
  field.required = readRequired(members.get('required'), field, report)
  const after = report.findings.filter(({ severity }) => severity === 'error').length
  return after > before ? undefined : field
}

/** By all providers of models, as the name of an argument. */
const TAKEN = /^[\w.-]+$/

function readName(node: JsonNode | undefined, field: JsonNode, report: Reporter): string {
  const name = node?.kind === 'string' ? (valueAt(report.text, node) as string) : ''
  if (name === '' || name.length > 64) {
    const fix = 'give it a "name" of 1 to 64 characters'
    report.error((node ?? field).start, 'the field has no usable name', fix)
  } else if (name === '__proto__') {
    report.error((node ?? field).start, `"${name}" cannot be used as a name`, 'choose another one')
  } else if (!TAKEN.test(name)) {
    const problem = `"${name}": Anthropic refuses each request with such a field, and with it all tools`
    report.warn((node ?? field).start, problem, 'use letters, digits, "_", "." and "-"')
  }
  return name
}

/** The image field that a mask belongs to. Whether the tool has it, the tool's configuration checks. */
function readImageField(
  node: JsonNode | undefined,
  field: JsonNode,
  type: FieldType,
  report: Reporter,
): string | undefined {
  if (type !== 'mask') {
    if (node) report.error(node.start, '"of" belongs to a mask', 'remove it')
    return undefined
  }
  if (node?.kind === 'string') return valueAt(report.text, node) as string
  const fix = 'add "of" with the name of the image field that gets the mask'
  report.error((node ?? field).start, 'the mask names no image', fix)
  return undefined
}

function readType(node: JsonNode | undefined, report: Reporter): FieldType {
  if (!node) return 'string'
  const type = valueAt(report.text, node) as FieldType
  if (FIELD_TYPES.includes(type)) return type
  report.error(
    node.start,
    `there is no type ${JSON.stringify(type)}`,
    `use ${FIELD_TYPES.join(', ')}`,
  )
  return 'string'
}

function readEnum(node: JsonNode, type: FieldType, report: Reporter): unknown[] {
  const items = node.kind === 'list' ? node.items : []
  if (items.length === 0)
    report.error(node.start, '"enum" lists no values', 'list them, or remove it')
  return items.map((item) => {
    const value = valueAt(report.text, item)
    const problem = problemOf(value, { type })
    if (problem) report.error(item.start, `the value ${problem}`, 'correct it, or the type')
    return value
  })
}

function readDefault(node: JsonNode | undefined, field: ConfiguredField, report: Reporter): void {
  if (!node) return
  const value = valueAt(report.text, node)
  const problem = problemOf(value, field)
  if (problem) report.error(node.start, `"default" ${problem}`, 'correct it, or the field')
  if (field.generator) {
    const fix = 'remove one of the two'
    report.warn(node.start, '"default" is not used, because there is a generator', fix)
  } else field.default = value
}

function readRequired(
  node: JsonNode | undefined,
  field: ConfiguredField,
  report: Reporter,
): boolean {
  if (!node) return !('default' in field) && !field.generator
  if (node.kind !== 'boolean') {
    report.error(node.start, '"required" is neither true nor false', 'write true or false')
  }
  return valueAt(report.text, node) === true
}
