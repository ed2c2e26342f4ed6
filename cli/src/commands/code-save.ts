import { Command } from 'commander'
import { readProgram } from '../code/program-text.ts'
import { CommandFailure } from '../terminal/failure.ts'
import { note } from '../terminal/terminal.ts'
import { line } from '../terminal/ui.ts'
import { readDeclarations, shownFinding, withServer } from './code-parts.ts'
import { type ServerFlags, withServerOptions } from './server-options.ts'

const SAVE_EXAMPLES = `
Examples:
  ftl code save weekly-report report.ts --description 'Reports the sales of a week' --input-schema schema.json
  ftl code save weekly-report report.ts --declarations tools.d.ts --dry-run
  ftl code save weekly-report report.ts --replace

The program finds the arguments of the tool in its variable input. Its types are checked against the tools of the gateway.
Exit status: 0 it is saved, 1 nothing was written.`

interface SaveFlags extends ServerFlags {
  description?: string
  inputSchema?: string
  readOnly?: true
  declarations?: string
  check: boolean
  replace?: true
  dryRun?: true
}

/** `ftl code save`: a tool made of a program. */
export function saveCommand(): Command {
  return withServerOptions(
    new Command('save')
      .description('Make a tool of a program, in the application of this folder')
      .argument('<name>', 'of the component, in kebab-case; its tool is called the same with "_"')
      .argument('<file>', 'TypeScript or JavaScript; - for standard input')
      .option('--description <text>', 'what the tool does, for models; required for a new tool')
      .option(
        '--input-schema <schema>',
        'JSON Schema of its arguments: a file, or JSON (any arguments)',
      )
      .option('--read-only', 'say that it changes nothing (`readOnlyHint`)')
      .option('--declarations <file>', 'saved declarations of the tools (those of the gateway)')
      .option('--no-check', 'do not check the types of the program')
      .option('--replace', 'change the program of a tool that was saved before')
      .option('--dry-run', 'print what would be written, and write nothing')
      .addHelpText('after', SAVE_EXAMPLES),
  ).action(async (name: string, file: string, flags: SaveFlags) => {
    const code = readProgram(file)
    if (flags.check && (await hasMistakes(file, code, flags))) {
      throw new CommandFailure('nothing was saved: correct the program, or use --no-check')
    }
    const { readInputSchema } = await import('../code/input-schema.ts')
    const { saveProgram } = await import('../code/save-program.ts')
    const { NewFailure, toJson, toText } = await import('create-ftl-tool')
    const { description, inputSchema } = flags
    const program = {
      name,
      code,
      description,
      ...(inputSchema !== undefined && { inputSchema: readInputSchema(inputSchema) }),
      ...(flags.readOnly && { annotations: { readOnlyHint: true as const } }),
    }
    try {
      const outcome = await saveProgram(program, process.cwd(), flags)
      line((flags.json ? toJson : toText)(outcome, process.cwd()))
    } catch (error) {
      if (error instanceof NewFailure) throw new CommandFailure(error.message)
      throw error
    }
  })
}

/** Prints them to standard error. */
async function hasMistakes(file: string, code: string, flags: SaveFlags): Promise<boolean> {
  const { checkProgram } = await import('../code/check-program.ts')
  let declarations = ''
  if (flags.declarations === undefined) {
    await withServer(flags, async ({ manager, server, options }) => {
      const { fetchDeclarations } = await import('../code/fetch-declarations.ts')
      declarations = await fetchDeclarations(manager, server, options)
      return 0
    })
  } else declarations = readDeclarations(flags.declarations)
  const findings = checkProgram(code, { declarations })
  for (const finding of findings) note(shownFinding(file, code, finding))
  return findings.length > 0
}
