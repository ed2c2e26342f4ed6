/**
 * How `ftl` prints help. A definition has code in backticks, for docs/cli.md; a terminal gets it without them. An option that
 * has a group is for few users: only `--help-all` shows it, under the heading of its group.
 */
import { type Argument, type Command, Help, Option } from 'commander'

/** Whether only `--help-all` shows the option. */
export const isFurther = (option: Option): boolean => option.helpGroupHeading !== undefined

/** For the command and those below it. */
export function withHelp(command: Command): Command {
  command.configureHelp({
    argumentDescription: (argument) => plain(describe(argument)),
    optionDescription: (option) => plain(describe(option, option.envVar)),
    commandDescription: (each) => plain(each.description()),
    subcommandDescription: (each) => plain(each.description()),
    formatHelp: (each, help) => {
      if (!showsAll(each)) {
        const shown = help.visibleOptions(each).filter((option) => !isFurther(option))
        help.visibleOptions = () => shown
      }
      return Help.prototype.formatHelp.call(help, each, help)
    },
  })
  command.helpOption('-h, --help', 'print help for the command')
  for (const each of command.commands) withHelp(each)
  return command
}

/** Adds `--help-all`, after all other options. */
export function withHelpAll(command: Command): Command {
  const all = new Option('--help-all', 'print help with all options, in groups')
  return command
    .addOption(all)
    .on(`option:${all.name()}`, () => command.help())
    .addHelpText('after', () => {
      if (showsAll(command)) return ''
      const further = command.options.filter((option) => !option.hidden && isFurther(option))
      return `\nThere are ${further.length} more options: ftl ${command.name()} --help-all shows them.`
    })
}

const showsAll = (command: Command): boolean => command.getOptionValue('helpAll') === true

/**
 * The default as people read it, with code in backticks; also one that another part of the code applies, which is then
 * only the description of the default.
 */
export function defaultOf(described: Option | Argument): string | undefined {
  const { defaultValueDescription } = described
  const defaultValue: unknown = described.defaultValue
  if (defaultValueDescription !== undefined) return defaultValueDescription
  if (typeof defaultValue === 'string') return `\`${defaultValue}\``
  // Of an option without a value, and of one that collects values, the default is that it was not given.
  return typeof defaultValue === 'number' ? String(defaultValue) : undefined
}

function describe(described: Option | Argument, variable?: string): string {
  const { description, argChoices } = described
  const usual = defaultOf(described)
  const more = [
    ...(argChoices ? [`choices: ${argChoices.join(', ')}`] : []),
    ...(usual === undefined ? [] : [`default: ${usual}`]),
    ...(variable === undefined ? [] : [`env: ${variable}`]),
  ]
  return more.length === 0 ? description : `${description} (${more.join('; ')})`
}

/** A text without the marks of code. */
export const plain = (text: string): string => text.replaceAll('`', '')
