/** How much an application has installed. */
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'

export async function installSize(application: string): Promise<string> {
  const entries = await readdir(join(application, 'node_modules'), {
    recursive: true,
    withFileTypes: true,
  })
  let bytes = 0
  const seen = new Set<number>()
  for (const entry of entries) {
    if (!entry.isFile()) continue
    const { ino, size } = await stat(join(entry.parentPath, entry.name))
    // A hard link takes no room.
    if (!seen.has(ino)) bytes += size
    seen.add(ino)
  }
  return `${(bytes / 1e6).toFixed(0)} MB`
}
