/** Where the lines of an author's sources are in a bundle: what a component needs of its source map to name them. */
import { readFile } from 'node:fs/promises'
import { dirname, relative, resolve } from 'node:path'
import { mapPath } from '../build/source-map.ts'

/** A variable that a component under `ftl dev` reads. */
export const DEV_PLACES = 'dev_places'

/** Characters beyond which errors name no lines: each thread of the host holds a copy. */
const LARGEST = 512 * 1024

interface SourceMapFile {
  sources: string[]
  mappings: string
}

/**
 * @param output path of the `.wasm`.
 * @param isAuthors tells the author's files from libraries.
 * @returns `undefined` without a map that can be read.
 */
export async function placesOf(
  output: string,
  isAuthors: (file: string) => boolean,
): Promise<string | undefined> {
  const text = await readFile(mapPath(output), 'utf8').catch(() => undefined)
  if (text === undefined) return undefined
  const map = parseMapFile(text)
  if (map === undefined) return undefined
  const { sources, mappings } = map
  const paths = sources.map((source) => resolve(dirname(output), source))
  const files = paths.filter(isAuthors)
  const index = paths.map((path) => files.indexOf(path))
  const places = JSON.stringify({
    files: files.map((file) => relative(process.cwd(), file)),
    runs: readRuns(mappings, index),
  })
  return places.length <= LARGEST ? places : undefined
}

/** @returns `undefined` for a file that something else wrote: lines are a help, and no reason to serve nothing. */
function parseMapFile(text: string): SourceMapFile | undefined {
  try {
    const { sources, mappings } = (JSON.parse(text) ?? {}) as Record<string, unknown>
    const areStrings = Array.isArray(sources) && sources.every((each) => typeof each === 'string')
    return areStrings && typeof mappings === 'string' ? { sources, mappings } : undefined
  } catch {
    return undefined
  }
}

type Run = [row: number, column: number, file: number, line: number]

/** @param index of each source among the author's; -1 for others. */
function readRuns(mappings: string, index: readonly number[]): Run[] {
  const runs: Run[] = []
  let source = 0
  let line = 0
  for (const [row, text] of mappings.split(';').entries()) {
    let column = 0
    let last: Run | undefined
    for (const segment of text.split(',')) {
      const [columns = 0, sources, lines = 0] = readNumbers(segment)
      column += columns
      // A piece that comes from no source.
      if (sources === undefined) continue
      source += sources
      line += lines
      const file = index[source] ?? -1
      const isSame = last?.[2] === file && (file < 0 || last[3] === line + 1)
      if (isSame || (last === undefined && file < 0)) continue
      last = [row + 1, column + 1, file, file < 0 ? 0 : line + 1]
      runs.push(last)
    }
  }
  return runs
}

const DIGITS = new Map(
  [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'].map((char, value) => [
    char,
    value,
  ]),
)

/** Base 64 VLQ: five bits a character, the lowest of the number is its sign. */
function readNumbers(segment: string): number[] {
  const numbers: number[] = []
  let value = 0
  let shift = 0
  for (const char of segment) {
    const digit = DIGITS.get(char) ?? 0
    value += (digit & 31) << shift
    if (digit & 32) {
      shift += 5
      continue
    }
    numbers.push(value & 1 ? -(value >>> 1) : value >>> 1)
    value = 0
    shift = 0
  }
  return numbers
}
