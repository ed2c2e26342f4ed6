/** In which database the entries of each store are, by the rules of the stores of a host. */
import { realpathSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { stateFile, type StoreDefinition, type StoreDefinitions } from './state.ts'

/** Where an application keeps its entries. */
export interface StatePlaces {
  /** Folder of the default store; empty if that is in memory. */
  stateDir: string
  /** Of the runtime configuration, by label; they may redefine `default`. */
  stores: StoreDefinitions
}

export interface EntryFiles {
  /** Absolute paths of databases, each once, also if two labels name it by different links. */
  files: readonly string[]
  /** Database of a store, given by the name in its table, such as `echo.default`. */
  fileOf: (store: string) => string | undefined
  /** Labels of stores in Redis. */
  elsewhere: readonly string[]
}

export function entryFiles({ stateDir, stores }: StatePlaces): EntryFiles {
  const usual: StoreDefinition =
    stateDir === '' ? { type: 'spin' } : { type: 'spin', file: stateFile(stateDir) }
  const wanted = new Map<string, StoreDefinition>([['default', usual], ...Object.entries(stores)])
  const files = [...wanted.values()].flatMap((each) => pathOf(each) ?? [])
  return {
    files: [...new Set(files)],
    fileOf(store) {
      // A store that no label names any more is kept with the others, so that no entry is lost.
      const place = wanted.get(store) ?? wanted.get(store.slice(store.indexOf('.') + 1))
      return place ? pathOf(place) : files[0]
    },
    elsewhere: [...wanted].flatMap(([label, { type }]) => (type === 'redis' ? [label] : [])),
  }
}

function pathOf(place: StoreDefinition): string | undefined {
  return place.type === 'spin' && place.file !== undefined
    ? realPath(resolve(place.file))
    : undefined
}

/** Also of a file that does not exist yet. */
function realPath(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    const folder = dirname(path)
    return folder === path ? path : join(realPath(folder), basename(path))
  }
}
