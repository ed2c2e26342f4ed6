/** A configured tool and its workflow become what a call needs: a schema, and where each value goes. */
import { type Field, type FieldType, toInputSchema } from './field.ts'
import type { ConfiguredField } from './field-config.ts'
import type { Reporter } from './finding.ts'
import type { Span } from './json-text.ts'
import { splice } from './splice.ts'
import { findTarget, type Target } from './targets.ts'
import { loaderOf } from './loaders.ts'
import type { ToolConfig } from './tool-config.ts'
import type { WorkflowText } from './workflow-text.ts'

export interface PlannedField extends Field {
  targets: Target[]
}

/** Plain JSON: it may be stored, and belongs to exactly the workflow text it was made of. */
export interface WorkflowTool {
  name: string
  title?: string
  description?: string
  inputSchema: Record<string, unknown>
  fields: PlannedField[]
  /** The nodes within the workflow's file. */
  body: Span
  /** Whether the workflow has numbers that JavaScript would round: only its text is exact. */
  imprecise: boolean
}

/** @returns `undefined` when a mapping leads nowhere, which is reported. */
export function compileTool(
  {
    name,
    title,
    description,
    fields,
  }: Pick<ToolConfig, 'name' | 'title' | 'description' | 'fields'>,
  workflow: WorkflowText,
  report: Reporter,
): WorkflowTool | undefined {
  const planned = fields.map((field) => plan(field, workflow, report))
  for (const { type, of, name } of planned) {
    if (type !== 'mask' || planned.some((field) => field.name === of && field.type === 'image'))
      continue
    const at = fields.find((field) => field.name === name)?.at ?? 0
    const fix = `make "${of}" a field of type "image"`
    report.error(at, `the mask "${name}" belongs to "${of}", which is not an image`, fix)
    return undefined
  }
  if (hasOverlap(fields, planned, report)) return undefined
  if (
    planned.some(({ targets }, index) => targets.length < (fields[index]?.mappings.length ?? 0))
  ) {
    return undefined
  }
  const { start, end } = workflow.body
  return {
    name,
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    inputSchema: toInputSchema(planned),
    fields: planned,
    body: { start, end },
    imprecise: hasImprecise(workflow),
  }
}

/**
 * The workflow's nodes with the values set, every other byte as it is in the file.
 *
 * @param file the text the tool was compiled from.
 */
export function injectValues(
  { body, fields }: Pick<WorkflowTool, 'body' | 'fields'>,
  file: string,
  values: ReadonlyMap<string, unknown>,
): string {
  const edits = fields.flatMap(({ name, targets }) =>
    values.has(name)
      ? targets.map(({ start, end }) => ({ start, end, json: toJson(values.get(name)) }))
      : [],
  )
  return splice(file.slice(body.start, body.end), edits)
}

function plan(field: ConfiguredField, workflow: WorkflowText, report: Reporter): PlannedField {
  const { mappings, at, ...rest } = field
  const targets = mappings.flatMap((each) => findTarget(each, workflow, report) ?? [])
  const kinds =
    rest.type === 'string' && !rest.enum ? targets.map((target) => loaded(target, workflow)) : []
  const [type] = new Set(kinds).size === 1 ? kinds : []
  return { ...rest, ...(type && { type }), targets }
}

/** What ComfyUI's own loaders load; for other nodes the configuration has to say it. */
function loaded({ nodeId, inputName }: Target, { nodes }: WorkflowText): FieldType | undefined {
  const classType = nodes.get(nodeId)?.classType
  return classType === undefined ? undefined : loaderOf(classType, inputName)
}

/** Two fields with one place would depend on their order, and one place within another would tear the text. */
function hasOverlap(
  fields: readonly ConfiguredField[],
  planned: readonly PlannedField[],
  report: Reporter,
): boolean {
  const places = planned
    .flatMap(({ targets }, index) => targets.map((target) => ({ target, field: fields[index] })))
    .sort((a, b) => a.target.start - b.target.start)
  let found = false
  places.forEach(({ target, field }, index) => {
    const before = places[index - 1]
    if (!before || target.start >= before.target.end) return
    found = true
    const names = [before.field?.name, field?.name].map((name) => `"${name}"`).join(' and ')
    const message = `${names} are mapped to the same place: "${target.inputName}" of node "${target.nodeId}"`
    report.error(field?.at ?? 0, message, 'remove one of the mappings')
  })
  return found
}

function toJson(value: unknown): string | undefined {
  return JSON.stringify(value)
}

const LONG_NUMBER = /(?<![\w.+-])-?\d{16,}(?![\w.])/g

function hasImprecise({ text, body }: WorkflowText): boolean {
  const found = text.slice(body.start, body.end).match(LONG_NUMBER) ?? []
  return found.some((literal) => !Number.isSafeInteger(Number(literal)))
}
