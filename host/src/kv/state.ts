/** The state of an application between requests: held by the process that serves it, opened by its threads. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { makePrivateFile } from './private-folder.ts'
import { lockStateDir } from './state-lock.ts'
import { STORE_LIMITS, type StoreLimits } from './store-limits.ts'
import type { StoreView } from './store-view.ts'
import { openStores, type StorePlace, type StorePlaces } from './stores.ts'

/** The name Spin gives it. */
const FILE = 'sqlite_key_value.db'

/** Path of the default store. */
export const stateFile = (stateDir: string): string => join(stateDir, FILE)

/** A configured store; `spin` without a file lasts as long as the state is held. */
export type StoreDefinition = { type: 'spin'; file?: string } | { type: 'redis'; url: string }

export type StoreDefinitions = Readonly<Record<string, StoreDefinition>>

export interface StateOptions {
  /** Folder of the default store, created if needed; if empty, entries last only as long as the state is held. */
  stateDir: string
  /** Stores of the runtime configuration, by label; they may redefine `default`. @default none */
  stores?: StoreDefinitions
  /** Entries written into the default store of each component before it reads it. @default none */
  keyValues?: Readonly<Record<string, string>>
  /** The default store as the components see it. @default the one that components share */
  defaultStores?: readonly StoreView[]
  /** @default {@link STORE_LIMITS} */
  limits?: Partial<StoreLimits>
  /** Process id that the error message of a second host names. @default this process */
  pid?: number
}

export interface State {
  /** Structured-cloneable, for {@link openStores} in any thread. */
  stores: StorePlaces
  limits: StoreLimits
  /** Call it when all threads have closed their stores. */
  release: () => void
}

/**
 * Acquires the state of an application for this process.
 *
 * @throws {StateDirInUseError} when another host has it.
 * @throws {Error} when a database cannot be opened.
 */
export async function holdState({
  stateDir,
  stores = {},
  keyValues = {},
  defaultStores = [{ label: 'default' }],
  limits: given,
  pid,
}: StateOptions): Promise<State> {
  const wanted: StoreDefinitions = {
    default: stateDir === '' ? { type: 'spin' } : { type: 'spin', file: stateFile(stateDir) },
    ...stores,
  }
  const limits = { ...STORE_LIMITS, ...given }
  const lock = stateDir === '' ? undefined : lockStateDir(resolve(stateDir), pid)
  let folder: TemporaryFolder | undefined
  const release = () => {
    folder?.release()
    lock?.release()
  }
  const placeOf = (label: string, definition: StoreDefinition): StorePlace => {
    if (definition.type === 'redis') return definition
    const { file } = definition
    if (file !== undefined) return { type: 'spin', file: resolve(file), durable: true }
    folder ??= temporaryFolder()
    return { type: 'spin', file: join(folder.path, `${label}.db`), durable: false }
  }
  try {
    const places = Object.fromEntries(
      Object.entries(wanted).map(([label, definition]) => [label, placeOf(label, definition)]),
    )
    for (const place of Object.values(places)) {
      if (place.type === 'redis') continue
      mkdirSync(dirname(place.file), { recursive: true, mode: 0o700 })
      makePrivateFile(place.file)
    }
    // Opening creates files and tables, so that threads that start together do not have to.
    const opened = openStores(places, limits)
    try {
      for (const view of defaultStores) {
        const store = opened.open(view)
        for (const [key, value] of Object.entries(keyValues)) {
          await store.set(key, new TextEncoder().encode(value))
        }
      }
    } finally {
      opened.close()
    }
    return { stores: places, limits, release }
  } catch (error) {
    release()
    throw error
  }
}

interface TemporaryFolder {
  path: string
  release: () => void
}

const temporaryFolders = new Set<string>()

function removeAll(): void {
  for (const path of temporaryFolders) rmSync(path, { recursive: true, force: true })
}

// A database in memory belongs to one connection; threads can share only a file.
function temporaryFolder(): TemporaryFolder {
  const path = mkdtempSync(join(tmpdir(), 'ftl-state-'))
  if (temporaryFolders.size === 0) process.on('exit', removeAll)
  temporaryFolders.add(path)
  const release = () => {
    rmSync(path, { recursive: true, force: true })
    if (temporaryFolders.delete(path) && temporaryFolders.size === 0) process.off('exit', removeAll)
  }
  return { path, release }
}
