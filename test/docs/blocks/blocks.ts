/**
 * The code blocks of a page.
 *
 * The info string of a fence is a language and marks:
 *
 * | mark               | of        | meaning                                                                    |
 * | ------------------ | --------- | -------------------------------------------------------------------------- |
 * | `continues`        | ts        | begins with the `ts` block above it                                        |
 * | `gateway`          | ts        | runs as a program beside a running gateway                                 |
 * | `some/file.ts`     | ts        | is that file, which other blocks of the page import                        |
 * | `component`        | toml      | is the content of a component's table                                      |
 * | `runtime-config`   | toml      | is a runtime configuration, not a manifest                                 |
 * | `cargo`            | toml      | is a `Cargo.toml`, of which only the syntax is checked                     |
 * | `elsewhere`        | sh        | sends requests to an application that is not the one of this repository    |
 * | `from:some/file`   | any       | is a verbatim part of that file of the repository, which something runs    |
 *
 * Code that a reader does not need is in a comment: `<!-- given: … -->` right above a block has declarations for it,
 * `<!-- file: some/file.ts … -->` anywhere is a file the blocks of the page import.
 */
import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { REPOSITORY } from '../../support/command.ts'

export interface Block {
  /** Path of the page in the repository. */
  page: string
  /** Line of the fence, from 1. */
  line: number
  /** Empty where the fence names none. */
  language: string
  marks: string[]
  code: string
  given: string
}

/** Where a block is, as an editor can open it. */
export const at = ({ page, line }: Block): string => `${page}:${line}`

/** README, CONTRIBUTING, every page of the guides, and the README of each package. */
export async function pages(): Promise<string[]> {
  const { workspaces } = JSON.parse(await readFile(join(REPOSITORY, 'package.json'), 'utf8')) as {
    workspaces: string[]
  }
  const guides = await guidePages()
  const packages = [...workspaces, 'components/generate-image', 'rust', 'rust/ftl-component']
  return [
    'README.md',
    'CONTRIBUTING.md',
    ...guides.map((name) => `docs/${name}`),
    ...packages.map((folder) => `${folder}/README.md`).filter(isThere),
  ]
}

/** Every page of the guides, from the folder `docs`. */
export async function guidePages(): Promise<string[]> {
  const folders = ['', 'identity-providers/']
  const pages = folders.map(async (folder) => {
    const names = await readdir(join(REPOSITORY, 'docs', folder))
    return names.filter((name) => name.endsWith('.md')).map((name) => `${folder}${name}`)
  })
  return (await Promise.all(pages)).flat()
}

const isThere = (path: string): boolean => existsSync(join(REPOSITORY, path))

async function readBlocks(page: string): Promise<Block[]> {
  return parseBlocks(await readFile(join(REPOSITORY, page), 'utf8'), page)
}

export async function allBlocks(): Promise<Block[]> {
  return (await Promise.all((await pages()).map(readBlocks))).flat()
}

/** @throws for a fence that is not closed. */
export function parseBlocks(text: string, page: string): Block[] {
  const blocks: Block[] = []
  const lines = text.replaceAll('\r\n', '\n').split('\n')
  for (let index = 0; index < lines.length; index++) {
    const [, hidden] = /^<!-- file: (\S+)$/.exec(lines[index] ?? '') ?? []
    if (hidden !== undefined) {
      const end = lines.indexOf('-->', index)
      if (end === -1) throw new Error(`${page}:${index + 1}: the file has no end`)
      const code = lines.slice(index + 1, end).join('\n')
      blocks.push({ page, line: index + 1, language: 'ts', marks: [hidden], code, given: '' })
      index = end
      continue
    }
    const [, indent, fence, info] = /^( *)(`{3,}|~{3,})(.*)$/.exec(lines[index] ?? '') ?? []
    if (indent === undefined || fence === undefined) continue
    const [language = '', ...marks] = (info ?? '').trim().split(/\s+/)
    const line = index + 1
    const closes = lines.findIndex((each, at) => at > index && each.trim() === fence)
    if (closes === -1) throw new Error(`${page}:${line}: the block has no end`)
    const code = lines
      .slice(index + 1, closes)
      .map((each) => (each.startsWith(indent) ? each.slice(indent.length) : each.trimStart()))
      .join('\n')
    blocks.push({ page, line, language, marks, code, given: givenAbove(lines, index) })
    index = closes
  }
  return blocks
}

/** The comment `<!-- given: … -->` that ends right above a fence, with or without an empty line between. */
function givenAbove(lines: string[], fence: number): string {
  const above = lines.slice(0, fence).join('\n').trimEnd()
  const start = above.lastIndexOf('<!-- given:')
  if (start === -1 || !above.endsWith('-->')) return ''
  const comment = above.slice(start, -'-->'.length)
  return comment.includes('-->') ? '' : comment.slice('<!-- given:'.length).trim()
}
