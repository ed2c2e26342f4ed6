import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Result } from './judge.ts'
import type { Topic } from './list.ts'

const RESULTS = join(import.meta.dirname, 'results.json')

export async function readResults(): Promise<Result[]> {
  return JSON.parse(await readFile(RESULTS, 'utf8').catch(() => '[]')) as Result[]
}

export async function writeResults(
  _topics: readonly Topic[],
  results: readonly Result[],
): Promise<void> {
  await writeFile(
    RESULTS,
    `[\n${results.map((each) => `  ${JSON.stringify(each)}`).join(',\n')}\n]\n`,
  )
}

/** Verdicts that are others than before, a line each. */
export function describeChanges(before: readonly Result[], now: readonly Result[]): string[] {
  const old = new Map(before.map((result) => [result.name, result]))
  return now.flatMap((result) => {
    const was = old.get(result.name)
    const [first, second] = [was && verdict(was), verdict(result)]
    return first === second ? [] : [`${result.name}: ${second}, before: ${first ?? 'not tried'}`]
  })
}

function verdict({ version, works, setting }: Result): string {
  return `${version} ${works ? `works (${setting})` : 'does not work'}`
}
