/** Markdown from the texts of definitions, which have code in backticks and pages in parentheses: `(docs/audit.md)`. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const DOCS = fileURLToPath(new URL('../../docs/', import.meta.url))

/** A table whose columns all have a value in some row; others are left out. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const used = head.map((_, column) => rows.some((row) => row[column] !== ''))
  const line = (cells: readonly string[]) =>
    `| ${cells.filter((_, column) => used[column]).join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

/** The text of a cell: without a capital letter, and with links to pages. @throws {Error} for a page or heading that does not exist. */
export function cell(text: string): string {
  return lowerFirst(text)
    .replaceAll(/ \(docs\/([\w-]+\.md)(?:#([\w-]+))?\)/g, (_, page: string, anchor?: string) => {
      const address = anchor === undefined ? page : `${page}#${anchor}`
      return `: see [${headingOf(page, anchor)}](${address})`
    })
    .replaceAll('|', String.raw`\|`)
}

/** Not of a name such as URL or ComfyUI. */
const lowerFirst = (text: string): string =>
  /^[A-Z][a-z]*\b/.test(text) ? `${text.slice(0, 1).toLowerCase()}${text.slice(1)}` : text

function headingOf(page: string, anchor: string | undefined): string {
  const text = readFileSync(`${DOCS}${page}`, 'utf8')
  for (const [, heading = ''] of text.matchAll(/^#+ (.*)$/gm)) {
    if (anchor === undefined || anchorOf(heading) === anchor) return heading
  }
  throw new Error(`docs/${page} has no heading #${anchor}`)
}

/** As GitHub and the site call headings. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[`,.:?!()'"…/]/g, '')
    .replaceAll(' ', '-')
