/**
 * The `ftl` command.
 *
 * @module
 */
import { readFileSync } from 'node:fs'
import { Command, Option } from 'commander'
import { COMMANDS, HIDDEN } from './commands/all-commands.ts'
import { CommandFailure, describeFailure, furtherHelp } from './terminal/failure.ts'
import { withHelp } from './commands/help.ts'
import { data, endWithReader, note, put } from './terminal/terminal.ts'
import { abandonStep } from './terminal/ui.ts'

const EXAMPLES = `
Examples:
  ftl start                          build what changed and serve everything, ComfyUI simulator included
  COMFYUI_URL=http://gpu:8188 ftl start   the same with your own ComfyUI
  ftl build                          only build
  ftl up --listen 0.0.0.0:8080       serve what is built, without bridge and simulator
  ftl dev                            start with hot reload
  ftl call echo message=Hello        call a tool of what runs
  ftl doctor                         find problems, and how to fix them`

// JSON modules need an import attribute that not every tool knows; a read does the same.
const { version } = JSON.parse(
  readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
) as { version: string }

function withoutCommands(): Command {
  return new Command('ftl')
    .description('Build and serve MCP tools as WebAssembly components')
    .version(version, '-V, --version', 'print the version of `ftl`')
    .addHelpText('after', EXAMPLES)
    .addOption(new Option('--debug', 'print the stack of an error').env('FTL_DEBUG'))
    .showHelpAfterError('(see ftl --help)')
}

/**
 * Every command and option there is; what the documentation shows is checked against it.
 *
 * @param only the command that will run; a name that is not of a command loads them all. @default all commands
 */
export async function createProgram(only?: string): Promise<Command> {
  const program = withoutCommands()
  const load = only === undefined ? undefined : (COMMANDS.get(only) ?? HIDDEN.get(only))
  if (load) return withHelp(program.addCommand(await load()))
  const { completeCommand } = await import('./commands/completion.ts')
  const shown = await Promise.all([...COMMANDS.values()].map((each) => each()))
  const hidden = await Promise.all([...HIDDEN.values()].map((each) => each()))
  for (const command of shown) program.addCommand(command)
  for (const command of [...hidden, completeCommand(program)]) {
    program.addCommand(command, { hidden: true })
  }
  return withHelp(program)
}

export async function main(args: string[]): Promise<void> {
  endWithReader()
  // No option of the program itself has a value.
  const only = args.find((each) => !each.startsWith('-'))
  const program = isVersionAlone(args) ? withoutCommands() : await createProgram(only)
  printWith(program)
  try {
    await program.parseAsync(args, { from: 'user' })
  } catch (error) {
    abandonStep()
    const text = describeFailure(error, program.opts<{ debug?: boolean }>().debug === true)
    note(text + (await furtherHelp(error)))
    process.exit(error instanceof CommandFailure ? error.exitCode : 1)
  }
}

/** Scripts and other tools ask for the version often. */
function isVersionAlone(args: readonly string[]): boolean {
  return args.length === 1 && ['-V', '--version'].includes(args[0] ?? '')
}

/** Help goes to programs as it is; an error repeats what was typed, which may come from elsewhere. */
function printWith(command: Command): void {
  command.configureOutput({ writeOut: data, writeErr: (text) => put(text, 'stderr') })
  for (const each of command.commands) printWith(each)
}
