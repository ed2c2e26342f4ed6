import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { Command, Option } from 'commander'
import { describe, expect, it } from 'vitest'
import { GROUPS } from './option-groups.ts'
import { complete } from '../completion/words.ts'
import { isFurther, withHelp } from './help.ts'
import { createProgram } from '../main.ts'

const FTL = fileURLToPath(new URL('../../bin/ftl.mjs', import.meta.url))

function ftl(...args: string[]): { status: number | null; stdout: string } {
  return spawnSync(process.execPath, [FTL, ...args], { encoding: 'utf8' })
}

/** The options that a help lists, each at the start of a line. */
const listed = (help: string): string[] =>
  [...help.matchAll(/^ {2}(?:-\w, )?(--[\w-]+)/gm)].map(([, flag = '']) => flag)

const program = await createProgram()

describe.each(['up', 'start', 'dev'])('ftl %s', (name) => {
  const command = program.commands.find((each) => each.name() === name)!
  const visible = command.options.filter(({ hidden }) => !hidden)
  const flags = visible.map(({ long }) => long ?? '')
  const short = ftl(name, '--help')
  const all = ftl(name, '--help-all')

  it('--help shows about a dozen options, and ends with how to see the others', () => {
    expect(short.status).toBe(0)
    const shown = listed(short.stdout).filter((flag) => !flag.startsWith('--help'))
    expect(shown).toEqual(expect.arrayContaining(['--from', '--listen', '--variable', '--quiet']))
    expect(shown.length).toBeGreaterThanOrEqual(10)
    expect(shown.length).toBeLessThanOrEqual(15)
    const last = short.stdout.trimEnd().split('\n').at(-1)
    expect(last).toContain(`${visible.filter(isFurther).length} more options`)
    expect(last).toContain(`ftl ${name} --help-all`)
  })

  it('--help-all shows every option once, the others in groups', () => {
    expect(all.status).toBe(0)
    expect(listed(all.stdout).toSorted()).toEqual([...flags, '--help'].toSorted())
    for (const heading of new Set(visible.flatMap((each) => each.helpGroupHeading ?? []))) {
      expect(Object.values<string>(GROUPS)).toContain(heading)
      expect(all.stdout).toContain(`\n${heading}\n`)
    }
    expect(all.stdout).not.toContain('more options')
  })

  it('every option is in exactly one of both: the short help, or a group of --help-all', () => {
    const further = visible.filter(isFurther).map(({ long }) => long ?? '')
    const shown = listed(short.stdout).filter((flag) => flag !== '--help')
    expect([...shown, ...further].toSorted()).toEqual(flags.toSorted())
  })

  it('completes options that the short help does not show, without the marks of code', () => {
    const { candidates } = complete(program, [name, '--'])
    const words = candidates.map(({ word }) => word)
    expect(words).toEqual(expect.arrayContaining(flags))
    expect(candidates.filter(({ description }) => description.includes('`'))).toEqual([])
  })

  it('suggests an option that the short help does not show', () => {
    const { stderr } = spawnSync(process.execPath, [FTL, name, '--max-request', '1'], {
      encoding: 'utf8',
    })
    expect(stderr).toContain('--max-requests')
  })
})

it('only commands with --help-all have options that the short help does not show', () => {
  const all = (command: Command): Command[] => [command, ...command.commands.flatMap(all)]
  const having = all(program).filter((each) => each.options.some(isFurther))
  expect(having.map((each) => each.name())).toEqual(['start', 'dev', 'up'])
})

it('no help has the marks of code', async () => {
  const all = (command: Command): Command[] => [command, ...command.commands.flatMap(all)]
  for (const each of all(await createProgram())) {
    expect(each.helpInformation()).not.toContain('`')
  }
})

it('shows values, the default and the environment variable of an option', () => {
  const command = withHelp(
    new Command('x')
      .addOption(new Option('--as <form>', 'form of `it`').choices(['a', 'b']).default('a'))
      .addOption(new Option('--most <n>', 'size').default(undefined, '1 GiB').env('MOST'))
      .addOption(new Option('--each <n>', 'one').default([])),
  )
  const help = command.helpInformation()
  expect(help).toContain('form of it (choices: a, b; default: a)')
  expect(help).toContain('size (default: 1 GiB; env: MOST)')
  expect(help).toMatch(/one$/m)
})
