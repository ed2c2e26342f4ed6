/** One bundled module to one WebAssembly component. */
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { BuildError } from './build-error.ts'
import type { Bundle } from './bundle.ts'
import { explainFailure } from './explain-failure.ts'
import { WORLD, type WitWorld } from './world.ts'

/**
 * The first call in a process loads the engine and takes several seconds; further ones take about two.
 *
 * @throws {BuildError} when the module throws while it is initialised, with the TypeScript line that threw.
 */
export async function componentize(
  id: string,
  made: Bundle,
  { folder, adapter }: WitWorld,
  scratchFolder: string,
): Promise<Uint8Array> {
  const { componentize: run } = await import('#componentize')
  const workFolder = join(scratchFolder, `${id}.${process.pid}`)
  await mkdir(workFolder, { recursive: true })
  const sourcePath = join(workFolder, `${id}.js`)
  try {
    await writeFile(sourcePath, made.code)
    const { component } = await run({
      sourcePath,
      witPath: folder,
      worldName: WORLD,
      preview2Adapter: adapter,
    })
    return component
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error)
    throw new BuildError(id, [explainFailure(text, id, made)])
  } finally {
    await rm(workFolder, { recursive: true, force: true })
  }
}
