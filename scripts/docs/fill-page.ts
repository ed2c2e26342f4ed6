/** Puts tables between the marks of a page: `<!-- printed: NAME -->` and `<!-- /printed -->`. What is around them stays. */
import type { Tables } from './printed-pages.ts'

const PRINTED = /^(<!-- printed: (.+) -->\n)[^]*?^(<!-- \/printed -->)$/gm

/**
 * @param page its name, for errors.
 * @throws {Error} for marks with a name that no table has, and for a table that has no marks.
 */
export function fillPage(text: string, tables: Tables, page: string): string {
  const names = new Set<string>()
  const filled = text.replaceAll(PRINTED, (_, begin: string, name: string, end: string) => {
    const table = tables.get(name)
    if (table === undefined) {
      throw new Error(`${page}: nothing in the code is called "${name}": remove these marks`)
    }
    names.add(name)
    return `${begin}\n${table}\n\n${end}`
  })
  for (const name of tables.keys()) {
    if (names.has(name)) continue
    throw new Error(
      `${page} lacks "${name}": add <!-- printed: ${name} --> and <!-- /printed -->, with prose around them`,
    )
  }
  return filled
}
