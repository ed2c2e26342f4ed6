/** Which component of an application has a tool of a name already, as far as its sources say so. */
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import type { Manifest } from 'ftl-host'

export interface TakenTool {
  component: string
  /** From the folder of the manifest. */
  file: string
}

/**
 * The gateway serves both of two tools with one name, the later one under a longer name; that is a surprise and no error,
 * so a best effort is enough: names that are computed are not seen.
 */
export function toolTaken({ components, folder }: Manifest, name: string): TakenTool | undefined {
  const pattern = new RegExp(`\\bname:\\s*(['"\`])${name}\\1`)
  for (const { id, tool } of components.values()) {
    const entry = tool['ftl']?.['entry']
    if (typeof entry !== 'string') continue
    const sources = join(folder, dirname(entry))
    // A package has no sources here, and an entry beside node_modules would mean to read all of it.
    if (!/\.[mc]?[jt]sx?$/.test(entry)) continue
    const options = { cwd: sources, exclude: ['**/node_modules/**', '**/*.test.*'] }
    for (const path of globSync('**/*.{ts,js,mts,mjs}', options)) {
      const file = join(sources, path)
      if (pattern.test(readFileSync(file, 'utf8'))) {
        return { component: id, file: relative(folder, file) }
      }
    }
  }
  return undefined
}
