/**
 * The engine of components as a prebuilt core module. `npm run engine` builds it again.
 *
 * @module
 */
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

export interface EngineFile {
  /** Absolute path of the core module: Wizer evaluates a bundle with it. */
  path: string
  /** SHA-256 of the file, in hexadecimal digits. */
  sha256: string
}

/** Where the engine is, and which one it is. */
export async function engineFile(): Promise<EngineFile> {
  const about = await readFile(new URL('engine.json', import.meta.url), 'utf8')
  const { sha256 } = JSON.parse(about) as { sha256: string }
  return { path: fileURLToPath(new URL('engine.wasm', import.meta.url)), sha256 }
}
