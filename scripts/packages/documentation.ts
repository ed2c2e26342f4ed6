/** The pages of `docs/` in the package of the command: their readers have no copy of the repository. */
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

export async function addDocumentation(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true })
  for (const name of await readdir(from)) {
    if (!name.endsWith('.md')) continue
    await writeFile(join(to, name), withinPackage(await readFile(join(from, name), 'utf8')))
  }
}

/** A page whose links lead to other pages or to the web: what is elsewhere in the repository is named instead. */
export function withinPackage(page: string): string {
  return page.replace(
    /\[([^\]]*)\]\(\.\.\/([^()\s#]+)[^()\s]*\)/g,
    '$1 (`$2` in the repository ftl-mcp-gateway)',
  )
}
