/** Reads a configuration file as a list whose entries stand alone: a broken one costs only itself. */
import type * as z from 'zod'
import { isObject } from 'ftl-contract'
import type { Problem } from './config-problem.ts'

export interface ReadList<Entry> {
  /** With the place of each entry in the file, for what is found out later. */
  entries: { entry: Entry; path: (string | number)[] }[]
  problems: Problem[]
}

/**
 * Of two entries of one name the first counts.
 *
 * @param file for messages: `config/styles.json`.
 * @param form the key of the list, and the schema of its entries.
 * @param text the file's content.
 */
export function readList<Schema extends z.ZodType<{ name: string }>>(
  file: string,
  { key, entry: schema }: { key: string; entry: Schema },
  text: string,
): ReadList<z.infer<Schema>> {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return { entries: [], problems: [{ file, path: [], message: 'is not valid JSON' }] }
  }
  const bare = Array.isArray(value)
  const list = bare ? value : isObject(value) ? value[key] : undefined
  if (!Array.isArray(list)) {
    return { entries: [], problems: [{ file, path: [], message: `needs a list "${key}"` }] }
  }
  const entries: { entry: z.infer<Schema>; path: (string | number)[] }[] = []
  const problems: Problem[] = []
  const names = new Set<string>()
  list.forEach((item: unknown, index) => {
    const path = bare ? [index] : [key, index]
    const result = schema.safeParse(item)
    if (!result.success) {
      for (const { path: within, message } of result.error.issues) {
        problems.push({ file, path: [...path, ...within.map(toKey)], message })
      }
    } else if (names.has(result.data.name)) {
      const message = `"${result.data.name}" is the name of an earlier entry; choose another one`
      problems.push({ file, path: [...path, 'name'], message })
    } else {
      names.add(result.data.name)
      entries.push({ entry: result.data, path })
    }
  })
  return { entries, problems }
}

function toKey(part: PropertyKey): string | number {
  return typeof part === 'number' ? part : String(part)
}
