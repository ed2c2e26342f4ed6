/** Commands and flags inside the sentences of a page. */
import type { Command } from 'commander'
import { parseBlocks } from './blocks.ts'
import { commandProblem } from './shell.ts'

/** Flags of other programs that the pages mention. */
const OTHERS = new Set(['--direct-mounts', '--help', '--max-upload-size', '--omit', '--sqlite'])

/** What is wrong with `ftl …`, `npm …` and `--flag` between the blocks, each with page and line. */
export function proseProblems(text: string, page: string, program: Command): string[] {
  const flags = flagsOf(program)
  return prose(text)
    .split('\n')
    .flatMap((line, index) =>
      [...line.matchAll(/`([^`]+)`/g)].flatMap(([, code = '']) => {
        const problem = problemOf(code, program, flags)
        return problem === undefined ? [] : [`${page}:${index + 1}: ${problem}`]
      }),
    )
}

function problemOf(code: string, program: Command, flags: ReadonlySet<string>): string | undefined {
  if (/^(npx )?ftl \w|^npm \w/.test(code)) {
    // A sentence may name a command without its arguments.
    const problem = commandProblem(code.split(' '), program)
    return problem?.includes('needs') ? undefined : problem
  }
  const [flag] = /^--[a-z][\w-]*/.exec(code) ?? []
  if (flag === undefined || flags.has(flag) || OTHERS.has(flag)) return undefined
  return `no command has ${flag}`
}

function flagsOf(command: Command): Set<string> {
  const own = command.options.flatMap(({ long }) => long ?? [])
  return new Set([...own, ...command.commands.flatMap((below) => [...flagsOf(below)])])
}

/** The text without what is in blocks; the lines stay where they are. */
export function prose(text: string): string {
  const lines = text.split('\n')
  for (const { line, code } of parseBlocks(text, '')) {
    lines.fill('', line - 1, line + code.split('\n').length + 1)
  }
  return lines.join('\n')
}
