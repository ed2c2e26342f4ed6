/** `files` of a component, read from the disk when asked for: an edit is seen by the next request. */
import {
  accessSync,
  constants,
  globSync,
  readdirSync,
  realpathSync,
  statSync,
  type Stats,
} from 'node:fs'
import { join, matchesGlob, relative, resolve, sep } from 'node:path'
import type { FilesMount } from '../manifest/manifest.ts'
import {
  type DirectoryEntry,
  FileError,
  type FileErrorCode,
  type FileStat,
  type FileTree,
  type OpenFile,
} from './file-tree.ts'
import { LazyFile } from './open-files.ts'

export interface MountOptions {
  /** The manifest's folder. */
  folder: string
  files: readonly FilesMount[]
  excludeFiles: readonly string[]
}

interface Mount {
  /** Where it appears: names below the root. */
  at: readonly string[]
  /** Absolute path of what appears there. */
  root: string
  /** Which files below `root` appear; all of them without. */
  pattern?: string
}

interface Found {
  path: string
  stats: Stats
}

const slashes = (path: string) => path.split(sep).join('/')
const startsWith = (path: readonly string[], head: readonly string[]) =>
  head.every((name, index) => path[index] === name)

/** The files that `spin.toml` mounts into a component, as the component sees them. */
export class MountedFiles implements FileTree {
  readonly empty: boolean
  readonly #mounts: readonly Mount[]
  readonly #excluded: readonly string[]
  readonly #folder: string

  constructor({ folder, files, excludeFiles }: MountOptions) {
    this.empty = files.length === 0
    this.#folder = folder
    this.#excluded = excludeFiles
    // The last mount of a path wins, as a later copy overwrites an earlier one.
    this.#mounts = files.map((mount) => toMount(mount, folder)).reverse()
  }

  stat(path: readonly string[]): FileStat {
    const found = this.#find(path)
    if (found) return toStat(found.stats, slashes(found.path))
    if (this.#isAboveMount(path)) return VIRTUAL_DIRECTORY
    throw new FileError('no-entry')
  }

  list(path: readonly string[]): DirectoryEntry[] {
    if (!this.stat(path).directory) throw new FileError('not-directory')
    const entries = new Map<string, DirectoryEntry>()
    for (const mount of this.#mounts) {
      for (const name of this.#names(mount, path)) {
        if (entries.has(name)) continue
        try {
          entries.set(name, { name, directory: this.stat([...path, name]).directory })
        } catch (error) {
          if (!(error instanceof FileError)) throw error
        }
      }
    }
    return [...entries.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
  }

  open(path: readonly string[]): OpenFile {
    const found = this.#find(path)
    if (!found) throw new FileError(this.#isAboveMount(path) ? 'is-directory' : 'no-entry')
    // Opening a pipe would wait for its writer, and with it the whole host.
    if (!found.stats.isFile()) throw new FileError('is-directory')
    // Whether it may be read is said now, though it is opened later.
    attempt(() => accessSync(found.path, constants.R_OK))
    const file = new LazyFile(found.path)
    return {
      stat: () =>
        toStat(
          attempt(() => file.stat()),
          slashes(found.path),
        ),
      read: (offset, length) => {
        const bytes = Buffer.alloc(length)
        return bytes.subarray(
          0,
          attempt(() => file.read(bytes, offset)),
        )
      },
      close: () => file.close(),
    }
  }

  #find(path: readonly string[]): Found | undefined {
    for (const mount of this.#mounts) {
      if (!startsWith(path, mount.at)) continue
      const found = this.#inMount(mount, path.slice(mount.at.length))
      if (found) return found
    }
    return undefined
  }

  #inMount({ root, pattern }: Mount, rest: readonly string[]): Found | undefined {
    const wanted = join(root, ...rest)
    let real: string
    let stats: Stats
    try {
      real = realpathSync(wanted)
      stats = statSync(real)
    } catch {
      return undefined
    }
    // A link that leads out of the mount would show any file of the machine.
    const realRoot = realpathSync(root)
    if (real !== realRoot && !real.startsWith(realRoot + sep)) throw new FileError('not-permitted')
    if (!stats.isFile() && !stats.isDirectory()) return undefined
    if (this.#isExcluded(wanted)) return undefined
    const visible =
      pattern === undefined ||
      (stats.isFile()
        ? matchesPattern(rest.join('/'), pattern)
        : rest.length === 0 || matchedFiles(root, pattern).some((file) => startsWith(file, rest)))
    return visible ? { path: real, stats } : undefined
  }

  #names(mount: Mount, path: readonly string[]): string[] {
    if (!startsWith(path, mount.at)) {
      const next = startsWith(mount.at, path) ? mount.at[path.length] : undefined
      return next === undefined ? [] : [next]
    }
    try {
      return readdirSync(join(mount.root, ...path.slice(mount.at.length)))
    } catch {
      return []
    }
  }

  #isAboveMount(path: readonly string[]): boolean {
    return this.#mounts.some(({ at }) => at.length >= path.length && startsWith(at, path))
  }

  #isExcluded(path: string): boolean {
    const file = slashes(relative(this.#folder, path))
    return this.#excluded.some((pattern) => matchesPattern(file, pattern))
  }
}

const VIRTUAL_DIRECTORY: FileStat = {
  directory: true,
  size: 0,
  accessedAt: 0,
  modifiedAt: 0,
  changedAt: 0,
  identity: '/',
}

function toMount(mount: FilesMount, folder: string): Mount {
  if ('pattern' in mount) return { at: [], root: folder, pattern: mount.pattern }
  const at = mount.destination.split('/').filter((name) => name !== '' && name !== '.')
  return { at, root: resolve(folder, mount.source) }
}

/** A pattern that names a folder stands for everything in it. */
function matchesPattern(file: string, pattern: string): boolean {
  const trimmed = pattern.replace(/^\.\//, '').replace(/\/$/, '')
  return file === trimmed || file.startsWith(`${trimmed}/`) || matchesGlob(file, trimmed)
}

function matchedFiles(root: string, pattern: string): string[][] {
  return globSync(pattern, { cwd: root }).map((file) => file.split(sep))
}

function toStat(stats: Stats, identity: string): FileStat {
  return {
    directory: stats.isDirectory(),
    size: stats.size,
    accessedAt: stats.atimeMs,
    modifiedAt: stats.mtimeMs,
    changedAt: stats.ctimeMs,
    identity,
  }
}

const CODES: Readonly<Record<string, FileErrorCode>> = {
  ENOENT: 'no-entry',
  EACCES: 'access',
  EPERM: 'not-permitted',
  EISDIR: 'is-directory',
  ENOTDIR: 'not-directory',
  ELOOP: 'loop',
  ENAMETOOLONG: 'name-too-long',
}

function attempt<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw new FileError(CODES[(error as NodeJS.ErrnoException).code ?? ''] ?? 'io')
  }
}
