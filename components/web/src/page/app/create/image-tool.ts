/** The tool that makes pictures, and what can be chosen for it: from its schema, whatever tools there are. */
import { asArray, asRecord, text } from '../net/api.ts'
import type { Schema, Tool } from '../net/tools.ts'

export type ControlKind = 'choice' | 'choices' | 'number' | 'text' | 'flag' | 'image' | 'mask'

export interface Control {
  name: string
  label: string
  kind: ControlKind
  about: string
  choices: readonly string[]
  schema: Schema
}

const IMAGE = 'image'
const MASK = 'mask'

/** Takes a description in words, and gives pictures. */
export function imageToolOf(tools: readonly Tool[]): Tool | undefined {
  return tools.find(
    (tool) => isString(propertyOf(tool, 'prompt')) && (has(tool, 'seed') || givesImages(tool)),
  )
}

/** Takes a picture and no words, and gives pictures, which are larger. */
export function upscaleToolOf(tools: readonly Tool[]): Tool | undefined {
  const isIt = (tool: Tool) =>
    isString(propertyOf(tool, IMAGE)) &&
    !has(tool, 'prompt') &&
    asArray(tool.inputSchema['required']).every((name) => name === IMAGE) &&
    /scale/i.test(tool.name)
  return tools.find((tool) => isIt(tool) && givesImages(tool))
}

/** In the order of the schema, but what has to be typed comes last. */
const LAST: readonly ControlKind[] = ['text', 'flag', 'mask']

export function controlsOf(tool: Tool): Control[] {
  return Object.entries(asRecord(tool.inputSchema['properties']))
    .flatMap(([name, value]) => (name === 'prompt' ? [] : controlOf(name, asRecord(value))))
    .sort((a, b) => LAST.indexOf(a.kind) - LAST.indexOf(b.kind))
}

function controlOf(name: string, schema: Schema): Control[] {
  const items = asRecord(schema['items'])
  const choices = asArray(schema['enum'] ?? items['enum']).filter(isText)
  const kind = kindOf(name, schema, choices.length > 0)
  if (!kind) return []
  const words = text(schema['title']) ?? name.replace(/_names?$/, '').replaceAll('_', ' ')
  const label = words.charAt(0).toUpperCase() + words.slice(1)
  return [{ name, label, kind, about: text(schema['description']) ?? '', choices, schema }]
}

function kindOf(name: string, schema: Schema, hasChoices: boolean): ControlKind | undefined {
  const { type } = schema
  if (type === 'array') return hasChoices ? 'choices' : undefined
  if (hasChoices) return 'choice'
  if (type === 'integer' || type === 'number') return 'number'
  if (type === 'boolean') return 'flag'
  if (type !== 'string') return undefined
  return name === IMAGE || name === MASK ? name : 'text'
}

/**
 * Arguments as the tool takes them. Some choices go with a picture only, as a render type does: the description of the
 * picture's argument names them in quotes, and then one of them is chosen.
 */
export function completed(
  controls: readonly Control[],
  chosen: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const known = controls.filter(({ name }) => chosen[name] !== undefined)
  const args = Object.fromEntries(known.map(({ name }) => [name, chosen[name]]))
  const pictures = known.filter(({ kind }) => kind === 'image' || kind === 'mask')
  if (pictures.length === 0) return args
  for (const { name, choices, kind } of controls) {
    if (kind !== 'choice') continue
    const fit = choices.filter((choice) =>
      pictures.every(({ about }) => about.includes(`"${choice}"`)),
    )
    if (fit.length > 0 && !fit.includes(String(args[name]))) args[name] = fit[0]
  }
  return args
}

function propertyOf(tool: Tool, name: string): Schema {
  return asRecord(asRecord(tool.inputSchema['properties'])[name])
}

function has(tool: Tool, name: string): boolean {
  return name in asRecord(tool.inputSchema['properties'])
}

function givesImages(tool: Tool): boolean {
  return 'images' in asRecord(tool.outputSchema?.['properties'])
}

function isString({ type }: Schema): boolean {
  return type === 'string'
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}
