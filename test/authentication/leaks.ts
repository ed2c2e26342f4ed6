/** Looks for secrets wherever an application leaves text. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * The parts of tokens and keys that must not be anywhere: claims and signatures, but not the headers of tokens, which are
 * the same for all tokens of one algorithm.
 */
export function partsOf(secrets: Iterable<string>): string[] {
  const parts = [...secrets].flatMap((secret) => secret.split('.'))
  return [...new Set(parts.filter((part) => part.length > 20 && !part.startsWith('eyJhbGciOi')))]
}

/** Which of the parts are in a text, by their first characters. */
export function foundIn(text: string, parts: readonly string[]): string[] {
  return parts.filter((part) => text.includes(part)).map((part) => `${part.slice(0, 8)}…`)
}

/** Every file below a folder, as bytes in text: databases and their logs, too. */
export async function filesIn(folder: string): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const path = join(entry.parentPath, entry.name)
    found.set(path.slice(folder.length + 1), await readFile(path, 'latin1'))
  }
  return found
}
