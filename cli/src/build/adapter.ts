/**
 * The adapter between the engine's preview1 calls and WASI 0.2.
 *
 * jco ships it for WASI 0.2.12; linked as it is, a component would import two patch versions of WASI, the
 * newer of them unknown to older hosts. The interfaces are the same, so its version is set to the world's.
 */
import { existsSync } from 'node:fs'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { preview1AdapterReactorPath } from '@bytecodealliance/jco'

/** Path of the adapter for `version`; both versions have the same length, so no offset in the file moves. */
export async function adapterFor(
  version: string,
  installed: string,
  folder: string,
): Promise<string> {
  if (version.length !== installed.length) throw new Error('the versions must have the same length')
  const path = join(folder, `preview1-reactor-${version}.wasm`)
  if (existsSync(path)) return path
  const bytes = await readFile(preview1AdapterReactorPath())
  const text = bytes.toString('latin1').replaceAll(`@${installed}`, `@${version}`)
  const draft = `${path}.${process.pid}`
  await writeFile(draft, text, 'latin1')
  await rename(draft, path)
  return path
}
