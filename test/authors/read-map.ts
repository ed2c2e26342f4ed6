/** Finds a place in a built bundle that came from a source file. */
import { readFile } from 'node:fs/promises'
import { SourceMap, type SourceMapPayload } from 'node:module'

/** @returns line and column of the bundle, as an engine counts. */
export async function readMap(output: string, source: string): Promise<string> {
  const payload = JSON.parse(await readFile(`${output}.map`, 'utf8')) as SourceMapPayload
  const map = new SourceMap(payload)
  for (let line = 0; line < 200; line++) {
    for (let column = 0; column < 5000; column++) {
      const entry = map.findEntry(line, column)
      if ('originalSource' in entry && entry.originalSource.endsWith(source)) {
        return `${line + 1}:${column + 1}`
      }
    }
  }
  throw new Error(`nothing of ${source} is in the bundle`)
}
