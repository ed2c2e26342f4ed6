/** Our engine, as it is in the repository. An installed `ftl` brings it along (`shipped-engine.ts`). */
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

export interface EngineFile {
  /** Absolute path of the core module: Wizer evaluates a bundle with it. */
  path: string
  /** SHA-256 of the file, in hexadecimal digits. */
  sha256: string
}

/** @param folder of `engine.wasm` and `engine.json`. */
export async function engineIn(folder: URL): Promise<EngineFile> {
  const about = await readFile(new URL('engine.json', folder), 'utf8')
  const { sha256 } = JSON.parse(about) as { sha256: string }
  return { path: fileURLToPath(new URL('engine.wasm', folder)), sha256 }
}

export const engineFile = (): Promise<EngineFile> =>
  engineIn(new URL('../../../engine/', import.meta.url))
