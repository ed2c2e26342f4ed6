/** The tables of docs/cli.md, from the definitions of the commands. */
import { Command, type Option } from 'commander'
import { withHostOptions } from '../../cli/src/commands/host-options.ts'
import { withServerOptions } from '../../cli/src/commands/server-options.ts'
import { withServiceOptions } from '../../cli/src/commands/start.ts'
import { defaultOf } from '../../cli/src/commands/help.ts'
import { createProgram } from '../../cli/src/main.ts'
import { limitKeys } from '../../host/src/runtime-config/host-limits.ts'
import { cell, table } from './markdown.ts'
import type { Tables } from './printed-pages.ts'

/** A command that does something by itself. */
interface Leaf {
  /** `ftl workflows init`. */
  path: string
  command: Command
}

/** Options of several commands, which the page has once. */
const SHARED = [
  { of: 'ftl start', link: '[options of `ftl start`](#ftl-start)', add: withServiceOptions },
  { link: '[options for serving](#options-for-serving)', add: withHostOptions },
  { link: '[options for servers](#options-for-servers)', add: withServerOptions },
].map(({ add, ...rest }) => ({ ...rest, options: visible(add(new Command())) }))

export async function commandTables(): Promise<Tables> {
  const program = await createProgram()
  const all = leaves(program)
  return new Map([
    ['commands', commandTable(all)],
    ['options of every command', optionTable(program.createHelp().visibleOptions(program))],
    ['options for serving', groupedTables(visible(withHostOptions(new Command())))],
    ['options for servers', optionTable(visible(withServerOptions(new Command())))],
    ...all.flatMap(({ path, command }): [string, string][] => {
      const text = ownTable(path, command)
      return text === '' ? [] : [[path, text]]
    }),
  ])
}

function leaves(program: Command): Leaf[] {
  const below = (command: Command, path: string): Leaf[] => {
    // Without those that other programs run, and without `help`.
    const shown = command
      .createHelp()
      .visibleCommands(command)
      .filter((each) => each.name() !== 'help')
    if (shown.length === 0) return [{ path, command }]
    const own = command.registeredArguments.length > 0 ? [{ path, command }] : []
    return [...own, ...shown.flatMap((each) => below(each, `${path} ${each.name()}`))]
  }
  return below(program, program.name())
}

function commandTable(all: readonly Leaf[]): string {
  const rows = all.map(({ path, command }) => [
    `[\`${path}\`](#${path.replaceAll(' ', '-')})`,
    cell(command.description()),
  ])
  return table(['command', 'purpose'], rows)
}

/** The options of a command without those that it shares, and links to these. */
function ownTable(path: string, command: Command): string {
  const options = visible(command)
  const has = ({ flags }: Option) => options.some((each) => each.flags === flags)
  const shared = SHARED.filter((each) => each.of !== path && each.options.every(has))
  const elsewhere = new Set(shared.flatMap((each) => each.options.map(({ flags }) => flags)))
  const own = options.filter(({ flags }) => !elsewhere.has(flags))
  const links = shared.map(({ link }) => link).join(' and the ')
  return [
    own.length === 0 ? '' : optionTable(own),
    links === '' ? '' : `It has the ${links}${own.length === 0 ? '' : ', too'}.`,
  ]
    .filter((part) => part !== '')
    .join('\n\n')
}

/** First those that the short help shows, and then each group under its heading. */
function groupedTables(options: readonly Option[]): string {
  const groups = new Map<string, Option[]>()
  for (const option of options) {
    const heading = option.helpGroupHeading?.replace(/:$/, '') ?? ''
    groups.set(heading, [...(groups.get(heading) ?? []), option])
  }
  const usual = groups.get('') ?? []
  groups.delete('')
  const further = [...groups].map(([heading, each]) => `### ${heading}\n\n${optionTable(each)}`)
  return [optionTable(usual), ...further].join('\n\n')
}

/** The keys of `[limits]` in a runtime configuration, with the options that they stand for. */
export function limitTable(): string {
  const options = visible(withHostOptions(new Command()))
  const rows = limitKeys().map((key) => {
    const flag = `--${key.replaceAll('_', '-')}`
    const option = options.find(({ long }) => long === flag)
    if (!option) throw new Error(`[limits] has ${key}, and no command has ${flag}`)
    return [`\`${key}\``, `\`${option.flags}\``, defaultOf(option) ?? '']
  })
  return table(['key', 'option', 'default'], rows)
}

function visible(command: Command): Option[] {
  return command.options.filter(({ hidden }) => !hidden)
}

function optionTable(options: readonly Option[]): string {
  const rows = options.map((option) => [
    option.flags
      .split(', ')
      .map((flag) => `\`${flag}\``)
      .join(', '),
    defaultOf(option) ?? '',
    meaningOf(option),
  ])
  return table(['option', 'default', 'meaning'], rows)
}

function meaningOf({ description, argChoices, envVar }: Option): string {
  return [
    cell(description),
    ...(argChoices ? [`Values: ${argChoices.map((each) => `\`${each}\``).join(', ')}`] : []),
    ...(envVar === undefined ? [] : [`Also \`${envVar}\``]),
  ].join('. ')
}
