/** The entries of the catalog as clients receive them in lists. */
import { SKILL_KEY } from 'ftl-contract'
import { withHandle } from '../jobs/job-handle.ts'
import type { Entry } from './catalog.ts'
import { simpleSchemas } from './simple-schema.ts'

/** As {@link describedEntry}; the outputSchema of a tool that starts jobs also allows a job's handle. */
export function listedEntry(entry: Entry): object {
  const { description, startsJobs = false, name } = entry
  if (!startsJobs || !('outputSchema' in description)) return describedEntry(entry)
  const { outputSchema } = description
  return outputSchema
    ? { ...describedEntry(entry), outputSchema: withHandle(outputSchema, name) }
    : describedEntry(entry)
}

/** For the tools of one list: each with the simple form of its schemas. */
export function simpleEntries(): <E extends Entry>(entry: E) => E {
  const simple = simpleSchemas()
  return (entry) => {
    if (!('inputSchema' in entry.description)) return entry
    const { inputSchema, outputSchema } = entry.description
    const schemas = {
      inputSchema: simple(inputSchema),
      ...(outputSchema && { outputSchema: simple(outputSchema) }),
    }
    return { ...entry, description: { ...entry.description, ...schemas } }
  }
}

/** Tools and prompts get the name clients use. Resources keep their own name: clients use the uri. */
export function describedEntry({ name, description }: Entry): object {
  if (!('uri' in description || 'uriTemplate' in description)) return { ...description, name }
  const { _meta } = description
  if (_meta?.[SKILL_KEY] === undefined) return description
  // The list of skills has it, and it may name 512 files.
  const { [SKILL_KEY]: _, ...shown } = _meta
  return { ...description, _meta: shown }
}
