/**
 * Replaces `wit.ts` in an installed package: the world was assembled when the package was made, because its source
 * packages have hundreds of megabytes that building a component does not need.
 */
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { WitWorld } from './world.ts'

const ENGINE = new URL('../../engine/', import.meta.url)

export async function assembleWit(_cacheFolder?: string): Promise<WitWorld> {
  const { digest } = JSON.parse(await readFile(new URL('world.json', ENGINE), 'utf8')) as {
    digest: string
  }
  return {
    folder: fileURLToPath(new URL('wit', ENGINE)),
    adapter: fileURLToPath(new URL('preview1-reactor.wasm', ENGINE)),
    digest,
  }
}
