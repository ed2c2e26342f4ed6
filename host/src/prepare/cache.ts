/** The cache folder of prepared modules. */
import { existsSync, statSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Bytes of the last used entries that the cache keeps: a prepared module takes 14 to 22 MB. */
const CACHE_BYTES = 640 * 1024 ** 2

/** Entries that the cache keeps: markers of validated files are empty. */
const CACHE_ENTRIES = 1024

/** Finished, or with the id of the process that writes it. */
const ENTRY = /^host-\d+-.*\.(wasm|valid)(\.\d+)?$/
const UNFINISHED = /\.\d+$/

/** Milliseconds after which an unfinished entry was left by a process that ended. */
const UNFINISHED_MS = 600_000

/**
 * Why the folder must not be used: its files are run as code, so another user who can write to it could make the host
 * run any code. Write access of the group is accepted, because some systems grant it by default.
 *
 * @returns `undefined` for a folder that can be trusted, or that is not there.
 */
export function distrust(
  folder: string,
  // Windows has no `getuid`. Root trusts the folders of others, because it uses them in containers.
  self = process.getuid?.() ?? 0,
): string | undefined {
  const found = statSync(folder, { throwIfNoEntry: false })
  if (found === undefined || process.platform === 'win32') return undefined
  if ((found.mode & 0o002) !== 0) return 'every user of this machine can write there'
  if (self !== 0 && found.uid !== 0 && found.uid !== self) return 'it belongs to another user'
  return undefined
}

/**
 * Reads an entry and records that it was used. Its modification time is set, because file systems are usually mounted
 * so that the access time changes once a day or never.
 *
 * @returns `undefined` for an entry that does not exist or cannot be read.
 */
export async function load(path: string): Promise<Buffer | undefined> {
  try {
    const bytes = await readFile(path)
    const now = new Date()
    // A cache that is only readable serves, too.
    await utimes(path, now, now).catch(() => {})
    return bytes
  } catch {
    return undefined
  }
}

/** Stores `bytes`. Failures are ignored: a missing entry only costs time at the next start. */
export async function store(path: string, folder: string, bytes: Buffer): Promise<void> {
  try {
    // Under the permission model, the process may only be allowed to write the entries, not to make the folder.
    if (!existsSync(folder)) await mkdir(folder, { recursive: true, mode: 0o755 })
    const unfinished = `${path}.${process.pid}`
    // Not flushed: the permission model, under which `ftl` runs the host, allows no fsync.
    await writeFile(unfinished, bytes)
    await rename(unfinished, path)
    await prune(folder)
  } catch {
    return
  }
}

// Each build of a component leaves another entry here.
async function prune(folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => ENTRY.test(name))
  const files = await Promise.all(
    names.map(async (name) => {
      const { mtimeMs, size } = await stat(join(folder, name))
      return { name, size, usedAt: mtimeMs }
    }),
  )
  files.sort((a, b) => b.usedAt - a.usedAt)
  const isFinished = ({ name }: { name: string }) => !UNFINISHED.test(name)
  let bytes = 0
  const leftAt = Date.now() - UNFINISHED_MS
  const old = [
    ...files
      .filter(isFinished)
      .filter(({ size }, nth) => (bytes += size) > CACHE_BYTES || nth >= CACHE_ENTRIES),
    ...files.filter((file) => !isFinished(file) && file.usedAt < leftAt),
  ]
  await Promise.all(old.map(({ name }) => rm(join(folder, name), { force: true })))
}
