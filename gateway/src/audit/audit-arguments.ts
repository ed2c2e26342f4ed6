/** What the line of a call says about its arguments. What it costs does not grow faster than the arguments. */
import { canonicalJson, isObject, type JsonSchema } from 'ftl-contract'
import { sha256 } from 'ftl-http'
import { type AuditArguments, TOO_LONG } from './audit-line.ts'
import { redact } from './redact.ts'

/** What of larger arguments is made in a native part of the engine, or not at all: each value counts 4, and its text. */
const MAX_SIZE = 16_384

/** Objects in objects: canonical JSON is made by a function that calls itself. */
const MAX_DEPTH = 64

/**
 * @param text the arguments as a component receives them; `undefined` if none does.
 * @param schema of the tool, if the line has the arguments themselves.
 */
export async function describeArguments(
  args: Readonly<Record<string, unknown>>,
  text: string | undefined,
  schema?: JsonSchema,
): Promise<AuditArguments> {
  // Not even looked at, if their text is long.
  const kind = (text?.length ?? 0) > 4 * MAX_SIZE ? 'large' : kindOf(args)
  if (kind !== 'large') {
    return {
      sha256: await sha256((kind === 'sorted' && text) || canonicalJson(args)),
      ...(schema && { values: redact(args, schema) }),
    }
  }
  return {
    ...(text !== undefined && { sha256: await sha256(text) }),
    canonical: false,
    ...(schema && { values: TOO_LONG }),
  }
}

/** Whether the text is the canonical JSON of the arguments, and short: then its digest is that of the line. */
export function isDigestible(args: Readonly<Record<string, unknown>>, text: string): boolean {
  return text.length <= 4 * MAX_SIZE && kindOf(args) === 'sorted'
}

/** Looks at no more of a value than a small one has. @returns `sorted` if its JSON is canonical as it is. */
export function kindOf(value: unknown): 'large' | 'small' | 'sorted' {
  let left = MAX_SIZE
  let isSorted = true
  const look = (part: unknown, depth: number): boolean => {
    left -= typeof part === 'string' ? part.length + 4 : 4
    if (left < 0 || depth > MAX_DEPTH) return false
    if (Array.isArray(part)) {
      return part.length * 4 <= left && part.every((item) => look(item, depth + 1))
    }
    if (!isObject(part)) return true
    // Not Object.keys: of a million names it would make a list first.
    let before: string | undefined
    for (const name in part) {
      if (before !== undefined && name < before) isSorted = false
      before = name
      left -= name.length
      if (left < 0 || !look(part[name], depth + 1)) return false
    }
    return true
  }
  if (!look(value, 0)) return 'large'
  return isSorted ? 'sorted' : 'small'
}
