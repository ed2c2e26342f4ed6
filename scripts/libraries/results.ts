import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { format, resolveConfig } from 'prettier'
import type { Result } from './judge.ts'
import type { Topic } from './list.ts'
import { withTable } from './table.ts'

const RESULTS = join(import.meta.dirname, 'results.json')
export const PAGE = join(import.meta.dirname, '../../docs/npm-libraries.md')

export async function readResults(): Promise<Result[]> {
  return JSON.parse(await readFile(RESULTS, 'utf8').catch(() => '[]')) as Result[]
}

export async function writeResults(results: readonly Result[]): Promise<void> {
  const lines = results.map((each) => `  ${JSON.stringify(each)}`)
  await writeFile(RESULTS, await formatted(`[\n${lines.join(',\n')}\n]\n`, 'json'))
}

/** The page of the guide as it must be, with the table of these results. */
export async function pageOf(
  topics: readonly Topic[],
  results: readonly Result[],
): Promise<string> {
  return formatted(withTable(await readFile(PAGE, 'utf8'), topics, results), 'markdown')
}

export async function writePage(
  topics: readonly Topic[],
  results: readonly Result[],
): Promise<void> {
  await writeFile(PAGE, await pageOf(topics, results))
}

async function formatted(text: string, parser: string): Promise<string> {
  return format(text, { ...(await resolveConfig(PAGE)), parser })
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
