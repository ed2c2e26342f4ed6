/** The entries of the catalog as clients receive them in lists. */
import { withHandle } from '../jobs/job-handle.ts'
import type { Entry } from './catalog.ts'

/** As {@link describedEntry}; the outputSchema of a tool that starts jobs also allows a job's handle. */
export function listedEntry(entry: Entry): object {
  const { description, startsJobs = false, name } = entry
  if (!startsJobs || !('outputSchema' in description)) return describedEntry(entry)
  const { outputSchema } = description
  return outputSchema
    ? { ...describedEntry(entry), outputSchema: withHandle(outputSchema, name) }
    : describedEntry(entry)
}

/** A tool with the simple form of its schemas, where it has one. */
export function simpleEntry<E extends Entry>(entry: E): E {
  const { simple, description } = entry
  return simple ? { ...entry, description: { ...description, ...simple } } : entry
}

/** Tools and prompts get the name clients use. Resources keep their own name: clients use the uri. */
export function describedEntry({ name, description }: Entry): object {
  return 'uri' in description || 'uriTemplate' in description
    ? description
    : { ...description, name }
}
