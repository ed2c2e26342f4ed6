/** A guide as steps: each code block with the sentences above it. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { REPOSITORY } from '../support/command.ts'
import { type Block, parseBlocks } from '../docs/blocks/blocks.ts'

export interface Step {
  /** Of the guide. */
  page: string
  /** What is written between the block before and this one, in one line. */
  prose: string
  /** The commands in the tables there: code that is a command, and not a name. */
  tables: string[]
  /** `undefined` after the last block. */
  block: Block | undefined
}

export async function stepsOf(page: string): Promise<Step[]> {
  const text = await readFile(join(REPOSITORY, page), 'utf8')
  const lines = text.split('\n')
  let from = 0
  const steps = parseBlocks(text, page).map((block): Step => {
    const above = lines.slice(from, block.line - 1)
    from = block.line + block.code.split('\n').length + 1
    return { page, prose: oneLine(above), tables: tableCommands(above), block }
  })
  const rest = lines.slice(from)
  return [...steps, { page, prose: oneLine(rest), tables: tableCommands(rest), block: undefined }]
}

const COMMAND = /^(?:[A-Z_]+=\S+ )*(?:curl|node|npm|npx|podman|spin) /

/** @returns the code in the cells of tables that is a whole command. */
function tableCommands(lines: readonly string[]): string[] {
  return lines
    .filter((line) => line.startsWith('|'))
    .flatMap((line) => [...line.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code))
    .filter((code) => COMMAND.test(code))
}

const oneLine = (lines: string[]): string => lines.join(' ').replaceAll(/\s+/g, ' ').trim()

/** The commands of a shell block, without comments and with their continuations. */
export function commandLines(code: string): string[] {
  return code
    .replaceAll(/\\\n\s*/g, ' ')
    .split('\n')
    .map((line) => line.replace(/\s+# .*$/, '').trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
}

export interface Shown {
  command: string
  /** What the guide says that it prints. */
  output: string
}

/** The commands of a console block with their output. */
export function shownCommands(code: string): Shown[] {
  return code
    .split(/^\$ /m)
    .filter((part) => part.trim() !== '')
    .map((part) => {
      const [command = '', ...output] = part.split('\n')
      return { command: command.replace(/\s+# .*$/, ''), output: output.join('\n').trim() }
    })
}

/** The file that the sentence above a block names: "Replace `tools/greet/src/main.ts`:". */
export function namedFile(prose: string): string | undefined {
  const names = prose.matchAll(/(?:Save this as|Replace|And|Create the file) `([\w./-]+)`/g)
  return [...names].at(-1)?.[1]
}
