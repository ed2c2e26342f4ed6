/**
 * One bundled module to one WebAssembly component.
 *
 * @module
 */
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { SourceMap, type SourceMapPayload } from 'node:module'
import { join, relative, resolve } from 'node:path'
import { BuildError } from './build-error.ts'
import type { Bundle } from './bundle.ts'
import { WORLD, type WitWorld } from './wit.ts'

/**
 * The first call in a process loads the engine and takes several seconds; further ones take about two.
 *
 * @throws {BuildError} when the module throws while it is initialised, with the TypeScript line that threw.
 */
export async function componentize(
  id: string,
  { code, map }: Bundle,
  { folder, adapter }: WitWorld,
  scratchFolder: string,
): Promise<Uint8Array> {
  const { componentize: run } = await import('@bytecodealliance/componentize-js')
  const workFolder = join(scratchFolder, `${id}.${process.pid}`)
  await mkdir(workFolder, { recursive: true })
  const sourcePath = join(workFolder, `${id}.js`)
  try {
    await writeFile(sourcePath, code)
    const { component } = await run({
      sourcePath,
      witPath: folder,
      worldName: WORLD,
      preview2Adapter: adapter,
    })
    return component
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error)
    throw new BuildError(id, [explain(text, id, map)])
  } finally {
    await rm(workFolder, { recursive: true, force: true })
  }
}

// An error at the top level is reported a second time as the rejected promise of the module.
const NOISE =
  /wasm backtrace|!<wasm function|wizer|^Stack:?$|^Additionally, some promises|^Promise rejected but/i

/** Replaces positions in the bundle by positions in the sources. */
function explain(text: string, id: string, map: string): string {
  const sourceMap = new SourceMap(JSON.parse(map) as SourceMapPayload)
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !NOISE.test(line))
    .map((line) =>
      line.replace(
        new RegExp(`\\S*${id}\\.js:(\\d+):(\\d+)`, 'g'),
        (place, row: string, column: string) => {
          const found = sourceMap.findEntry(Number(row) - 1, Number(column) - 1)
          if (!('originalSource' in found)) return place
          const file = relative(process.cwd(), resolve(process.cwd(), found.originalSource))
          return `${file}:${found.originalLine + 1}:${found.originalColumn + 1}`
        },
      ),
    )
  return lines.slice(0, 12).join('\n')
}
