/**
 * Reports changes of files by watching the folders they are in: editors replace files, and a watch on the file itself
 * would stay with the old one.
 */
import { existsSync, type FSWatcher, readdirSync, statSync, watch } from 'node:fs'
import { dirname, join } from 'node:path'

/** Editors write a file in several steps; changes closer together than this are reported as one. */
const SETTLE_MS = 25

/** Changes are reported after this time at the latest: a file beside the sources, such as a log, may never settle. */
const LATEST_MS = 250

/** Folders without sources, most of which builds change. */
const SKIPPED = new Set(['node_modules', 'dist', 'target', '.git', '.ftl', '.spin'])

/** Enough for the sources of any application; a folder like `/` must not be walked completely. */
const MAX_FOLDERS = 2000

interface Watched {
  watcher: FSWatcher
  /** Identifies the folder: a folder that was removed and created again needs a new watcher. */
  identity: string
}

export class FileWatch {
  readonly #watched = new Map<string, Watched>()
  readonly #onChange: (paths: ReadonlySet<string>) => void
  #changed = new Set<string>()
  #timer: NodeJS.Timeout | undefined
  /** When the first of the changes was seen that are not reported yet. */
  #since = 0
  #files: readonly string[] = []
  #trees: readonly string[] = []
  #closed = false

  /** @param onChange receives the absolute paths that were changed, created or removed since its last call. */
  constructor(onChange: (paths: ReadonlySet<string>) => void) {
    this.#onChange = onChange
  }

  /**
   * Replaces what is watched. After {@link close} nothing is watched any more: a watcher keeps the process alive.
   *
   * @param files absolute paths; also of files that do not exist yet.
   * @param trees absolute paths of folders, with all below.
   */
  set(files: Iterable<string>, trees: Iterable<string>): void {
    if (this.#closed) return
    this.#files = [...files]
    this.#trees = [...trees]
    this.#refresh()
  }

  close(): void {
    this.#closed = true
    clearTimeout(this.#timer)
    for (const { watcher } of this.#watched.values()) watcher.close()
    this.#watched.clear()
  }

  #refresh(): void {
    const wanted = new Set([
      ...this.#files.map((file) => nearestFolder(file)),
      ...this.#trees.flatMap((tree) => foldersOf(tree)),
    ])
    for (const [folder, { watcher, identity }] of this.#watched) {
      if (wanted.has(folder) && identityOf(folder) === identity) continue
      watcher.close()
      this.#watched.delete(folder)
    }
    for (const folder of wanted) if (!this.#watched.has(folder)) this.#watch(folder)
  }

  #watch(folder: string): void {
    const identity = identityOf(folder)
    if (identity === undefined) return
    try {
      const watcher = watch(folder, (_, name) => this.#note(folder, name))
      // The folder may have been removed: report it, and refresh.
      watcher.on('error', () => this.#note(folder, null))
      this.#watched.set(folder, { watcher, identity })
    } catch {
      return
    }
  }

  #note(folder: string, name: string | null): void {
    if (this.#closed) return
    const now = performance.now()
    if (this.#changed.size === 0) this.#since = now
    this.#changed.add(name === null ? folder : join(folder, name))
    clearTimeout(this.#timer)
    const wait = Math.max(0, Math.min(SETTLE_MS, this.#since + LATEST_MS - now))
    this.#timer = setTimeout(() => {
      const changed = this.#changed
      this.#changed = new Set()
      // A new folder needs its own watcher.
      this.#refresh()
      this.#onChange(changed)
    }, wait)
  }
}

/** The folder of a file or, until that one exists, the one in which it or a folder above it will be created. */
function nearestFolder(file: string): string {
  const folder = dirname(file)
  return folder === file || existsSync(folder) ? folder : nearestFolder(folder)
}

/** @returns `undefined` for a folder that does not exist. */
function identityOf(folder: string): string | undefined {
  const stats = statSync(folder, { throwIfNoEntry: false })
  // A file system may give a new folder the inode of a removed one.
  return stats && `${stats.dev}:${stats.ino}:${stats.birthtimeMs}`
}

function foldersOf(root: string): string[] {
  const found = [root]
  for (const folder of found) {
    if (found.length >= MAX_FOLDERS) break
    try {
      for (const entry of readdirSync(folder, { withFileTypes: true })) {
        if (entry.isDirectory() && !SKIPPED.has(entry.name)) found.push(join(folder, entry.name))
      }
    } catch {
      continue
    }
  }
  return found
}
