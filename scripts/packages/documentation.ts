/** The pages of `docs/` in the package of the command: their readers have no copy of the repository. */
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

export async function addDocumentation(from: string, to: string): Promise<void> {
  for (const page of await pagesIn(from)) {
    const text = withinPackage(await readFile(join(from, page), 'utf8'), page.split('/').length)
    await mkdir(dirname(join(to, page)), { recursive: true })
    await writeFile(join(to, page), text)
  }
}

/** Their paths within the folder, with `/`: the program that makes the site may be installed beside them. */
export async function pagesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true })
  const pages = entries.map(async (entry) => {
    const { name } = entry
    if (entry.isFile()) return name.endsWith('.md') ? [name] : []
    if (!entry.isDirectory() || name === 'node_modules') return []
    return (await pagesIn(join(folder, name))).map((page) => `${name}/${page}`)
  })
  return (await Promise.all(pages)).flat()
}

/**
 * A page whose links lead to other pages or to the web: what is elsewhere in the repository is named instead.
 *
 * @param depth 1 for a page of the folder itself. @default 1
 */
export function withinPackage(page: string, depth = 1): string {
  const up = '\\.\\./'.repeat(depth)
  return page.replace(
    new RegExp(`\\[([^\\]]*)\\]\\(${up}([^()\\s#]+)[^()\\s]*\\)`, 'g'),
    '$1 (`$2` in the repository ftl-mcp-gateway)',
  )
}
