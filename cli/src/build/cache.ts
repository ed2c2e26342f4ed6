/** Caches built components by content: the same bundle, world and builder give the same `.wasm`. */
import {
  copyFile,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  utimes,
  writeFile,
} from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** Components kept; the least recently used are removed first. One is about 14 MB. */
const KEPT = 60

export class BuildCache {
  readonly #folder: string
  constructor(folder: string) {
    this.#folder = folder
  }

  /** Copies the component with this key to `output`, unless it is there. @returns `undefined` if it is not cached. */
  async restore(key: string, output: string): Promise<'current' | 'restored' | undefined> {
    if (await this.isCurrent(key, output)) return 'current'
    const cached = this.#path(key)
    try {
      await utimes(cached, new Date(), new Date())
    } catch {
      return undefined
    }
    await this.#place(cached, key, output)
    return 'restored'
  }

  async store(key: string, component: Uint8Array, output: string): Promise<void> {
    await mkdir(this.#folder, { recursive: true })
    const cached = this.#path(key)
    await writeFile(`${cached}.${process.pid}`, component)
    await rename(`${cached}.${process.pid}`, cached)
    await this.#place(cached, key, output)
    await this.#prune()
  }

  async #place(cached: string, key: string, output: string): Promise<void> {
    await mkdir(dirname(output), { recursive: true })
    const draft = `${output}.${process.pid}`
    await copyFile(cached, draft)
    await rename(draft, output)
    const { mtimeMs, size } = await stat(output)
    await writeFile(stampOf(output), JSON.stringify({ key, mtimeMs, size }))
  }

  /** Whether `output` is the component with this key, by the size and time of its last copy. */
  async isCurrent(key: string, output: string): Promise<boolean> {
    try {
      const [stamp, { mtimeMs, size }] = await Promise.all([
        readFile(stampOf(output), 'utf8'),
        stat(output),
      ])
      return stamp === JSON.stringify({ key, mtimeMs, size })
    } catch {
      return false
    }
  }

  async #prune(): Promise<void> {
    const names = (await readdir(this.#folder)).filter((name) => name.endsWith('.wasm'))
    if (names.length <= KEPT) return
    const ages = await Promise.all(
      names.map(async (name) => ({ name, at: (await stat(join(this.#folder, name))).mtimeMs })),
    )
    ages.sort((a, b) => b.at - a.at)
    for (const { name } of ages.slice(KEPT)) await rm(join(this.#folder, name), { force: true })
  }

  #path(key: string): string {
    return join(this.#folder, `${key}.wasm`)
  }
}

function stampOf(output: string): string {
  return `${output}.stamp`
}
