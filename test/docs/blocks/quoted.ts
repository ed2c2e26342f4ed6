import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { REPOSITORY } from '../../support/command.ts'
import { at, type Block } from './blocks.ts'

export const isQuoted = ({ marks }: Block): boolean =>
  marks.some((mark) => mark.startsWith('from:'))

/**
 * A block with the mark `from:path` must be a verbatim part of that file. Its indentation may differ, and the file may
 * have it as an example in a docstring of Rust, which Rust's tests run.
 */
export async function quotedProblems(block: Block): Promise<string[]> {
  const path = block.marks.find((mark) => mark.startsWith('from:'))?.slice('from:'.length) ?? ''
  const text = await readFile(join(REPOSITORY, path), 'utf8').catch(() => undefined)
  if (text === undefined) return [`${at(block)}: there is no file ${path}`]
  const found = squeeze(text).includes(squeeze(block.code))
  return found ? [] : [`${at(block)}: ${path} has nothing like this`]
}

const squeeze = (text: string): string =>
  text
    .split('\n')
    .map((line) =>
      line
        .trim()
        .replace(/^\/\/! ?/, '')
        .trim(),
    )
    .join('\n')
    .trim()
