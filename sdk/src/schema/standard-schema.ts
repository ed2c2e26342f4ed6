/**
 * The part of Standard Schema the SDK reads; Zod 3.24+, Zod 4, Valibot and ArkType all carry it.
 *
 * @see https://standardschema.dev
 */
import type { JsonSchema } from 'ftl-contract'
import type { FromJsonSchema, ObjectFromJsonSchema } from './from-json-schema.ts'

export interface StandardIssue {
  readonly message: string
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined
}

export type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] }

/** A schema of any library that follows Standard Schema, version 1. @see https://standardschema.dev */
export interface StandardSchema<Output = unknown> {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: string
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>
    readonly types?: { readonly input: unknown; readonly output: Output } | undefined
    /** @see https://standardschema.dev/json-schema */
    readonly jsonSchema?: {
      readonly input: (options: { target: 'draft-2020-12' }) => JsonSchema
    }
  }
}

/** What `inputSchema` may be: a schema object of a library, or a plain JSON Schema document. */
export type InputSchema = StandardSchema | JsonSchema

/** The type a handler receives: what a library makes of the arguments, or what a JSON Schema literal describes. */
export type InferInput<Schema> = Schema extends { '~standard': infer Standard }
  ? Standard extends { types?: { output: infer Output } | undefined }
    ? Output
    : Record<string, unknown>
  : ObjectFromJsonSchema<Schema>

/** The type of what is given to a schema: arguments as a caller writes them, a result as a handler returns it. */
export type InferGiven<Schema> = Schema extends { '~standard': infer Standard }
  ? Standard extends { types?: { input: infer Given } | undefined }
    ? Given
    : Record<string, unknown>
  : unknown extends FromJsonSchema<Schema>
    ? Record<string, unknown>
    : FromJsonSchema<Schema>

export function isStandardSchema(schema: InputSchema): schema is StandardSchema {
  return '~standard' in schema
}

/** `items[0].name: expected string`, one line an issue. */
export function formatIssues(issues: readonly StandardIssue[]): string {
  return issues.map(formatIssue).join('\n')
}

function formatIssue({ message, path = [] }: StandardIssue): string {
  let name = ''
  for (const part of path) {
    const key = typeof part === 'object' ? part.key : part
    name += typeof key === 'number' ? `[${key}]` : (name && '.') + String(key)
  }
  if (name === '') return message
  // ArkType begins its messages with the path.
  return `${name}: ${message.startsWith(`${name} `) ? message.slice(name.length + 1) : message}`
}
