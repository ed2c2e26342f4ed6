/** The source map of a built component: kept beside it, and read when a line of its output names a place. */
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { SourceMap, type SourceMapPayload } from 'node:module'
import { dirname, relative, resolve } from 'node:path'

export interface OriginalPlace {
  /** Absolute path. */
  file: string
  /** From 1. */
  line: number
  /** From 1. */
  column: number
}

export const mapPath = (output: string): string => `${output}.map`

/**
 * Keeps the map at `output`.map. Also for a component that needs no build: a comment moves lines and leaves the bundle
 * as it was.
 *
 * @param map its sources are relative to the working directory; in the file they are to the file.
 */
export async function keepMap(map: string, output: string): Promise<void> {
  const path = mapPath(output)
  const folder = dirname(path)
  const { sourcesContent: _, ...payload } = JSON.parse(map) as SourceMapPayload
  const sources = payload.sources.map((source) =>
    relative(folder, resolve(source)).replaceAll('\\', '/'),
  )
  const text = JSON.stringify({ ...payload, sources })
  if ((await readFile(path, 'utf8').catch(() => '')) === text) return
  await mkdir(folder, { recursive: true })
  // Renamed into place: a process that is killed leaves no half of it.
  const draft = `${path}.${process.pid}`
  await writeFile(draft, text)
  await rename(draft, path)
}

/**
 * @param folder its sources are relative to.
 * @param line from 1, as the engine counts.
 * @param column from 1.
 */
export function originalPlace(
  map: SourceMap,
  folder: string,
  line: number,
  column: number,
): OriginalPlace | undefined {
  const found = map.findEntry(line - 1, column - 1)
  if (!('originalSource' in found)) return undefined
  return {
    file: resolve(folder, found.originalSource),
    line: found.originalLine + 1,
    column: found.originalColumn + 1,
  }
}

export function parseMap(text: string): SourceMap {
  return new SourceMap(JSON.parse(text) as SourceMapPayload)
}
