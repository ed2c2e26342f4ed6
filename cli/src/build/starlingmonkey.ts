/** Components with StarlingMonkey, by componentize-js. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { installCommand } from '../own-packages.ts'
import type { Builder } from './builder.ts'
import { WORLD } from './world.ts'

/** @throws {Error} that names the package: an installed `ftl` does not bring this engine along. */
function installed(): string {
  try {
    return import.meta.resolve('#componentize')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error
    throw new Error(
      `the engine "starlingmonkey" is a package of its own. Run "${installCommand('ftl-starlingmonkey')}", or leave ` +
        'out engine = "starlingmonkey" in spin.toml (or FTL_ENGINE).',
      { cause: error },
    )
  }
}

export const starlingmonkey: Builder = {
  async version() {
    const url = installed()
    const text = await readFile(join(fileURLToPath(url), '../../package.json'), 'utf8')
    return `componentize-js ${(JSON.parse(text) as { version: string }).version}`
  },

  // The first call in a process loads the engine and takes several seconds; further ones take about two.
  async build({ id, made, wit, folder }) {
    const { componentize } = await import('#componentize')
    const sourcePath = join(folder, `${id}.js`)
    await writeFile(sourcePath, made.code)
    const { component } = await componentize({
      sourcePath,
      witPath: wit.folder,
      worldName: WORLD,
      preview2Adapter: wit.adapter,
    })
    return component
  },
}
