/** Our engine, as it is in the repository. An installed `ftl` brings it along (`shipped-engine.ts`). */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

export interface EngineFile {
  /** Absolute path of the core module: Wizer evaluates a bundle with it. */
  path: string
  /** SHA-256 of the file, in hexadecimal digits. */
  sha256: string
}

const checked = new Map<string, Promise<EngineFile>>()

/**
 * The engine becomes part of every component, so its bytes are compared with the digest that was recorded for them.
 *
 * @param folder of `engine.wasm` and `engine.json`.
 * @throws {Error} when the file is another one.
 */
export function engineIn(folder: URL): Promise<EngineFile> {
  const known = checked.get(folder.href) ?? readEngine(folder)
  checked.set(folder.href, known)
  return known
}

async function readEngine(folder: URL): Promise<EngineFile> {
  const file = new URL('engine.wasm', folder)
  const about = await readFile(new URL('engine.json', folder), 'utf8')
  const { sha256 } = JSON.parse(about) as { sha256: string }
  const found = createHash('sha256')
    .update(await readFile(file))
    .digest('hex')
  if (found === sha256) return { path: fileURLToPath(file), sha256 }
  throw new Error(
    `engine.wasm has the SHA-256 ${found}, and engine.json says ${sha256}: the engine was changed or is damaged, and nothing is built ` +
      'with it. Install ftl again; in the repository, restore both files from version control.',
  )
}

export const engineFile = (): Promise<EngineFile> =>
  engineIn(new URL('../../../engine/', import.meta.url))
