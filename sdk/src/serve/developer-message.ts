/** An unexpected error with the lines of its source, for the author of a component under `ftl dev`. */
import type { ContextPlatform } from '../tool/context.ts'
import { describeThrown } from '../tool/describe-thrown.ts'

/** The build that `ftl dev` serves; no other host defines it. */
const DEV_BUILD = 'dev_build'

/**
 * Where the lines of the sources are in the bundle, as JSON: files, and of each run of characters its line and first
 * column in the bundle, its file (-1 for one that is not the author's) and its line there.
 */
const DEV_PLACES = 'dev_places'

/** Characters of the message, and lines of the sources that are named. */
const LONGEST = 4_000
const MOST_PLACES = 5

interface Places {
  files: string[]
  runs: [row: number, column: number, file: number, line: number][]
}

/** @returns `undefined` outside `ftl dev`: the message of foreign code may hold paths and secrets. */
export function developerMessage(
  error: unknown,
  { variables }: Pick<ContextPlatform, 'variables'>,
): string | undefined {
  if (variables.get(DEV_BUILD) === undefined) return undefined
  const [words, stack] =
    error instanceof Error
      ? [`${error.name}: ${error.message}`, error.stack ?? '']
      : [`${describeThrown(error)} was thrown`, '']
  const lines = placesOf(stack, variables.get(DEV_PLACES)).map((place) => `\n    at ${place}`)
  const cut = words.length > LONGEST ? `${words.slice(0, LONGEST)}…` : words
  return cut + lines.join('')
}

function placesOf(stack: string, text: string | undefined): string[] {
  if (text === undefined) return []
  const { files, runs } = JSON.parse(text) as Places
  const found = new Set<string>()
  for (const [, row, column] of stack.matchAll(/\.js:(\d+):(\d+)/g)) {
    const run = runs.findLast(([line, first]) => line === Number(row) && first <= Number(column))
    const file = run && files[run[2]]
    if (run && file !== undefined) found.add(`${file}:${run[3]}`)
  }
  return [...found].slice(0, MOST_PLACES)
}
