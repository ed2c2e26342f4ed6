/** Finds the application that a folder is part of. */
import { existsSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The bit of a folder's mode that lets every user of the machine write to it. */
const WRITABLE_BY_ALL = 0o002

/**
 * The nearest `spin.toml`, in `folder` or above it. A folder that every user may write to, such as /tmp, is looked at
 * only when it is `folder` itself: a manifest that another user left there would else decide what a command in a
 * folder below builds and starts. Git has the same rule for repositories (CVE-2022-24765).
 *
 * @param folder an absolute path
 * @returns the absolute path of the manifest; `undefined` when the folder belongs to no application
 */
export function findManifest(folder: string): string | undefined {
  const file = join(folder, 'spin.toml')
  if (existsSync(file)) return file
  const above = dirname(folder)
  return above === folder || isWritableByAll(above) ? undefined : findManifest(above)
}

function isWritableByAll(folder: string): boolean {
  const mode = statSync(folder, { throwIfNoEntry: false })?.mode ?? 0
  // Windows has no such bit: Node makes one up that says nothing.
  return process.platform !== 'win32' && (mode & WRITABLE_BY_ALL) !== 0
}
