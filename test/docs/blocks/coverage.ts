/** The kinds of blocks, and what checks each of them. */
import { at, type Block } from './blocks.ts'

/** Pages whose blocks another test runs, from the file to the result. */
export const ELSEWHERE: Record<string, { languages: string[]; by: string }> = {
  'docs/extending.md': { languages: ['ts'], by: 'test/docs/extending.test.ts' },
  'docs/client.md': { languages: ['ts gateway'], by: 'test/client/documentation.test.ts' },
  'docs/remote.md': { languages: ['sh'], by: 'test/remote/documentation.test.ts' },
}

/** A block in another language needs the mark `from:path`: its code is part of a file that is tested. */
const MARKS: Record<string, RegExp> = {
  ts: /^(continues|gateway|[\w./-]+\.ts)$/,
  js: /^(continues)$/,
  // A file that test/remote/documentation.test.ts writes and uses.
  json: /^config$/,
  jsonc: /^$/,
  yaml: /^$/,
  toml: /^(component|runtime-config|cargo)$/,
  sh: /^elsewhere$/,
  // Output, or text that is written only for people.
  text: /^$/,
  console: /^$/,
}

/** What is wrong with the info string of a block. */
export function unknownProblems(block: Block): string[] {
  const { language, marks } = block
  if (language === '') return [`${at(block)}: says no language; \`text\` is for output`]
  if (marks.some((mark) => mark.startsWith('from:'))) return []
  const known = Object.hasOwn(MARKS, language) ? MARKS[language] : undefined
  if (!known)
    return [`${at(block)}: nothing checks "${language}"; from:<file> says where it is tested`]
  return marks
    .filter((mark) => !known.test(mark))
    .map((mark) => `${at(block)}: "${language}" has no mark "${mark}"`)
}
