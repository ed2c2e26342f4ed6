/** What the descriptions of fields say of files that are sent by `POST /uploads`: only the application knows their limit. */
import { MAX_IMAGE_BYTES } from 'ftl-comfyui/image'
import { uploadLimit } from 'ftl-comfyui/job'
import { isMedia, type WorkflowTool } from 'ftl-comfyui/workflow'
import type { JsonSchema, ToolContext } from 'ftl-sdk'

type Variables = ToolContext['platform']['variables']

/** @returns the schema of a tool with the size that `POST /uploads` takes, where it is not the size of every other way. */
export function withUploadLimit(
  { inputSchema, fields }: Pick<WorkflowTool, 'inputSchema' | 'fields'>,
  variables: Variables,
): JsonSchema {
  // An application that binds no such variable to this component may still have one elsewhere.
  const isKnown = variables.get('upload_max_bytes') !== undefined
  const limit = isKnown ? uploadLimit(variables) : undefined
  const told = fields.filter(
    ({ type }) => isMedia(type) || (type === 'image' && (limit ?? Infinity) < MAX_IMAGE_BYTES),
  )
  if (limit === undefined || told.length === 0) return inputSchema
  const names = new Set(told.map(({ name }) => name))
  const properties = Object.entries(inputSchema['properties'] as Record<string, JsonSchema>).map(
    ([name, property]) => [
      name,
      names.has(name)
        ? { ...property, description: `${text(property)}, ${inWords(limit)} by POST /uploads` }
        : property,
    ],
  )
  return { ...inputSchema, properties: Object.fromEntries(properties) as JsonSchema }
}

function text({ description }: JsonSchema): string {
  return typeof description === 'string' ? description : ''
}

/** Rounded down, so that a file of this size is taken. */
function inWords(bytes: number): string {
  return bytes < 1_000_000
    ? `${Math.floor(bytes / 1000)} KB`
    : `${Math.floor(bytes / 1_000_000)} MB`
}
