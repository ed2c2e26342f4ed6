/**
 * The part of Standard Schema the SDK reads; Zod 3.24+, Zod 4, Valibot and ArkType all carry it.
 *
 * @see https://standardschema.dev
 * @module
 */
import type { JsonSchema } from '../contract/tool.ts'

export interface StandardIssue {
  message: string
  path?: readonly (PropertyKey | { key: PropertyKey })[]
}

export type StandardResult<Output> =
  { value: Output; issues?: undefined } | { issues: readonly StandardIssue[] }

export interface StandardSchema<Output = unknown> {
  '~standard': {
    version: 1
    vendor: string
    validate(value: unknown): StandardResult<Output> | Promise<StandardResult<Output>>
    types?: { input: unknown; output: Output } | undefined
    /** @see https://standardschema.dev/json-schema */
    jsonSchema?: { input(options: { target: 'draft-2020-12' }): JsonSchema }
  }
}

/** What `inputSchema` may be: a schema object of a library, or a plain JSON Schema document. */
export type InputSchema = StandardSchema | JsonSchema

/** The type a handler receives: inferred from a library's schema, an open record for plain JSON Schema. */
export type InferInput<Schema> = Schema extends {
  '~standard': { types?: { output: infer Output } | undefined }
}
  ? Output
  : Record<string, unknown>

export function isStandardSchema(schema: InputSchema): schema is StandardSchema {
  return '~standard' in schema
}

/** `items.0.name: expected string`, one line an issue. */
export function formatIssues(issues: readonly StandardIssue[]): string {
  return issues
    .map(({ message, path = [] }) => {
      const name = path.map((part) => String(typeof part === 'object' ? part.key : part)).join('.')
      return name === '' ? message : `${name}: ${message}`
    })
    .join('\n')
}
