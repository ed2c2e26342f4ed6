/**
 * The folder of prepared modules.
 *
 * @module
 */
import { existsSync, statSync } from 'node:fs'
import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Prepared modules, and marks of files that were validated, that the cache keeps: the youngest. */
const CACHE_ENTRIES = 32

/**
 * Why nothing in the folder is used: what lies there is run as code, so whoever can write there could have the host run
 * code of theirs. The group may write there, because some systems let it by default.
 *
 * @returns `undefined` for a folder that can be trusted, or that is not there.
 */
export function distrust(
  folder: string,
  // Windows has neither; root runs in containers, on the folders of others.
  self = process.getuid?.() ?? 0,
): string | undefined {
  const found = statSync(folder, { throwIfNoEntry: false })
  if (found === undefined || process.platform === 'win32') return undefined
  if ((found.mode & 0o002) !== 0) return 'every user of this machine can write there'
  if (self !== 0 && found.uid !== 0 && found.uid !== self) return 'it belongs to another user'
  return undefined
}

/** Keeps `bytes`. A cache that cannot be written costs time at the next start, and nothing else. */
export async function store(path: string, folder: string, bytes: Buffer): Promise<void> {
  try {
    // A process under the permission model may write the entries alone.
    if (!existsSync(folder)) await mkdir(folder, { recursive: true, mode: 0o755 })
    const unfinished = `${path}.${process.pid}`
    await writeFile(unfinished, bytes)
    await rename(unfinished, path)
    await prune(folder)
  } catch {
    return
  }
}

// Each build of a component leaves 14 MB here.
async function prune(folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => /^host-\d+-.*\.(wasm|valid)$/.test(name))
  const files = await Promise.all(
    names.map(async (name) => ({ name, age: (await stat(join(folder, name))).mtimeMs })),
  )
  const old = files.sort((a, b) => b.age - a.age).slice(CACHE_ENTRIES)
  await Promise.all(old.map(({ name }) => rm(join(folder, name), { force: true })))
}
