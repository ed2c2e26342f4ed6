/** The results as Markdown, for docs/npm-libraries.md. */
import { remedyFor } from '../../cli/src/build/remedies.ts'
import type { Result } from './judge.ts'
import type { Library, Topic } from './list.ts'

const BEGIN = '<!-- written by npm run libraries -->'
const END = '<!-- end of what npm run libraries writes -->'

/** @throws {Error} for a page without the two marks. */
export function withTable(
  page: string,
  topics: readonly Topic[],
  results: readonly Result[],
): string {
  const [before, rest] = page.split(BEGIN)
  const after = rest?.split(END)[1]
  if (before === undefined || after === undefined) {
    throw new Error(`docs/npm-libraries.md must have the lines ${BEGIN} and ${END}`)
  }
  return `${before}${BEGIN}\n\n${table(topics, results)}\n${END}${after}`
}

function table(topics: readonly Topic[], results: readonly Result[]): string {
  const byName = new Map(results.map((result) => [result.name, result]))
  const sections = topics.map(({ topic, libraries }) => {
    const rows = libraries.map((library) => row(library, byName.get(library.name)))
    return `### ${topic}\n\n| library | works | how, or what instead | adds |\n| --- | --- | --- | --- |\n${rows.join('\n')}\n`
  })
  return `${summary(results)}\n\n${sections.join('\n')}`
}

function summary(results: readonly Result[]): string {
  const works = results.filter((result) => result.works)
  const plain = works.filter(({ setting }) => setting === 'none').length
  return (
    `Of ${results.length} libraries, ${plain} work as they are, ${works.length - plain} work with a setting, and ` +
    `${results.length - works.length} do not work.`
  )
}

function row({ name, other = '' }: Library, result: Result | undefined): string {
  if (!result) return `| \`${name}\` | not tried | | |`
  const { version, works, setting, kilobytes } = result
  const remedy = remedyFor(name)
  const how =
    setting === 'other'
      ? other
      : setting === 'node_compat'
        ? '`node_compat = true`'
        : works || !remedy
          ? ''
          : `It ${remedy.why}. Use ${remedy.instead.replaceAll(/"([^"]+)"/g, '`$1`')}`
  const verdict = works ? (setting === 'none' ? 'yes' : 'with a setting') : 'no'
  return `| \`${name}\` ${version} | ${verdict} | ${how} | ${works ? size(kilobytes ?? 0) : ''} |`
}

function size(kilobytes: number): string {
  return kilobytes < 1000
    ? `${Math.max(10, Math.round(kilobytes / 10) * 10)} KB`
    : `${(kilobytes / 1000).toFixed(1)} MB`
}
