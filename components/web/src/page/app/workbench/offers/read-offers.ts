/** Entries of a server's lists. They are texts of strangers: what is not as the protocol says is left out. */
import { asArray, asRecord, text } from '../../net/api.ts'
import type { Tool } from '../../net/tools.ts'

export interface PromptArgument {
  name: string
  title: string
  description: string
  required: boolean
}

export interface Prompt {
  kind: 'prompt'
  name: string
  title: string
  description: string
  arguments: readonly PromptArgument[]
}

export interface Resource {
  kind: 'resource'
  uri: string
  title: string
  description: string
  mimeType: string
  /** Bytes, as the server says. */
  size?: number
}

export interface Template {
  kind: 'template'
  uriTemplate: string
  title: string
  description: string
  mimeType: string
}

/** Characters. */
const LONGEST_NAME = 4_000
const LONGEST_TEXT = 10_000
const MOST_ARGUMENTS = 200

export function readTool(value: unknown): (Tool & { kind: 'tool' })[] {
  const { name, inputSchema, outputSchema, annotations } = asRecord(value)
  if (!isName(name)) return []
  const notes = asRecord(annotations)
  return [
    {
      kind: 'tool',
      name,
      ...described(value, text(notes['title']) ?? name.replaceAll('_', ' ')),
      inputSchema: asRecord(inputSchema),
      annotations: notes,
      ...(outputSchema !== undefined && { outputSchema: asRecord(outputSchema) }),
    },
  ]
}

export function readPrompt(value: unknown): Prompt[] {
  const { name, arguments: args } = asRecord(value)
  if (!isName(name)) return []
  const read = asArray(args).slice(0, MOST_ARGUMENTS).flatMap(readArgument)
  return [{ kind: 'prompt', name, ...described(value, name), arguments: read }]
}

function readArgument(value: unknown): PromptArgument[] {
  const { name, required } = asRecord(value)
  return isName(name) ? [{ name, ...described(value, name), required: required === true }] : []
}

export function readResource(value: unknown): Resource[] {
  const { uri, name, mimeType, size } = asRecord(value)
  if (!isName(uri)) return []
  return [
    {
      kind: 'resource',
      uri,
      ...described(value, text(name) || uri),
      mimeType: text(mimeType) ?? '',
      ...(typeof size === 'number' && size >= 0 && { size }),
    },
  ]
}

export function readTemplate(value: unknown): Template[] {
  const { uriTemplate, name, mimeType } = asRecord(value)
  if (!isName(uriTemplate)) return []
  const words = described(value, text(name) || uriTemplate)
  return [{ kind: 'template', uriTemplate, ...words, mimeType: text(mimeType) ?? '' }]
}

function described(value: unknown, name: string): { title: string; description: string } {
  const { title, description } = asRecord(value)
  return {
    title: (text(title) || name).slice(0, LONGEST_NAME),
    description: (text(description) ?? '').slice(0, LONGEST_TEXT),
  }
}

/** A name is sent back as it is, so it is never shortened. */
function isName(name: unknown): name is string {
  return typeof name === 'string' && name !== '' && name.length <= LONGEST_NAME
}
