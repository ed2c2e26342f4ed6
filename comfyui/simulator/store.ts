/** Where files, queue and history live: in memory like the real server's history, or in a folder. */
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { parseExact } from './exact-json.ts'
import type { HistoryEntry, QueueItem } from './queue.ts'

export type FileArea = 'output' | 'temp' | 'input'

export interface StoredFile {
  bytes: Uint8Array
  modified: Date
}

/** What a restarted server knows again. */
export interface SavedState {
  /** The number of the next prompt. */
  counter: number
  /** Prompts that were running or waiting, in their order. */
  queue: QueueItem[]
  /** Finished prompts, oldest first. */
  history: [id: string, entry: HistoryEntry][]
}

export interface Store {
  write(area: FileArea, path: string, bytes: Uint8Array): Promise<void>
  read(area: FileArea, path: string): Promise<StoredFile | undefined>
  /**
   * Names of the files in a folder of an area; `''` is the area itself.
   *
   * @param deep also those in folders below it, as paths.
   */
  list(area: FileArea, folder: string, deep?: boolean): Promise<string[]>
  load(): Promise<SavedState>
  saveQueue(counter: number, queue: QueueItem[]): Promise<void>
  saveHistory(id: string, entry: HistoryEntry): Promise<void>
  deleteHistory(id: string): Promise<void>
}

/** Pictures are some 100 kB each; a server that runs for weeks must not keep them all. */
const MAX_FILES_IN_MEMORY = 500

export function memoryStore(): Store {
  const files = new Map<string, StoredFile>()
  return {
    async write(area, path, bytes) {
      files.set(`${area}/${path}`, { bytes, modified: new Date() })
      const [oldest] = files.keys()
      if (files.size > MAX_FILES_IN_MEMORY && oldest !== undefined) files.delete(oldest)
    },
    read: async (area, path) => files.get(`${area}/${path}`),
    async list(area, folder, deep = false) {
      const prefix = folder === '' ? `${area}/` : `${area}/${folder}/`
      return [...files.keys()]
        .filter((name) => name.startsWith(prefix))
        .map((name) => name.slice(prefix.length))
        .filter((name) => deep || !name.includes('/'))
    },
    load: async () => ({ counter: 0, queue: [], history: [] }),
    saveQueue: async () => {},
    saveHistory: async () => {},
    deleteHistory: async () => {},
  }
}

/** @param folder one of the simulator's own; made when it is not there. */
export function folderStore(folder: string): Store {
  const root = resolve(folder)
  const queueFile = join(root, 'queue.json')
  const historyFolder = join(root, 'history')
  const historyFile = (id: string) => join(historyFolder, `${encodeURIComponent(id)}.json`)
  // Routes check what they are asked for, each in the way of the real server; this holds whatever they let pass.
  const inArea = (area: FileArea, path: string): string => {
    const top = join(root, area)
    const file = join(top, path)
    if (dirname(top) !== root || !`${file}${sep}`.startsWith(`${top}${sep}`)) {
      throw new Error('a path leaves its area')
    }
    return file
  }
  let writes = Promise.resolve()
  // One after the other, or an older queue could overwrite a newer one.
  const inOrder = (work: () => Promise<void>): Promise<void> => {
    writes = writes.then(work, work)
    return writes
  }
  return {
    write: async (area, path, bytes) => writeWhole(inArea(area, path), bytes),
    async read(area, path) {
      const file = inArea(area, path)
      const about = await stat(file).catch(absent)
      if (!about?.isFile()) return undefined
      return { bytes: await readFile(file), modified: about.mtime }
    },
    async list(area, folder, deep = false) {
      const top = inArea(area, folder)
      const options = { withFileTypes: true, recursive: deep } as const
      const entries = (await readdir(top, options).catch(absent)) ?? []
      return entries
        .filter((entry) => entry.isFile())
        .map(({ parentPath, name }) => relative(top, join(parentPath, name)).replaceAll(sep, '/'))
    },
    async load() {
      const queue = await readJson<{ counter: number; queue: QueueItem[] }>(queueFile)
      const names = (await readdir(historyFolder).catch(absent)) ?? []
      const entries = await Promise.all(
        names
          .filter((name) => name.endsWith('.json'))
          .map((name) => readJson<HistoryEntry>(join(historyFolder, name))),
      )
      const history = entries
        .filter((entry) => entry !== undefined)
        .sort((a, b) => endOf(a) - endOf(b))
        .map((entry): [string, HistoryEntry] => [entry.prompt[1], entry])
      return { counter: queue?.counter ?? 0, queue: queue?.queue ?? [], history }
    },
    saveQueue: (counter, queue) =>
      inOrder(() => writeWhole(queueFile, JSON.stringify({ counter, queue }))),
    saveHistory: (id, entry) => inOrder(() => writeWhole(historyFile(id), JSON.stringify(entry))),
    deleteHistory: (id) => inOrder(() => rm(historyFile(id), { force: true })),
  }
}

function endOf({ status }: HistoryEntry): number {
  return Number(status.messages.at(-1)?.[1].timestamp ?? 0)
}

function absent(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') throw error
  return undefined
}

async function readJson<T>(file: string): Promise<T | undefined> {
  const text = await readFile(file, 'utf8').catch(absent)
  try {
    return text === undefined ? undefined : (parseExact(text) as T)
  } catch {
    return undefined
  }
}

// The process may be killed at any moment: a file is there as a whole or not at all.
async function writeWhole(file: string, content: Uint8Array | string): Promise<void> {
  await mkdir(dirname(file), { recursive: true })
  const draft = `${file}.${crypto.randomUUID()}.tmp`
  await writeFile(draft, content)
  await rename(draft, file)
}
