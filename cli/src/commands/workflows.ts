import { Command, Option } from 'commander'
import { formatFinding } from 'ftl-comfyui/workflow'
import { CommandFailure } from '../terminal/failure.ts'
import { note } from '../terminal/terminal.ts'
import { line, lineJson, paint } from '../terminal/ui.ts'
import { readServer, type ServerFlags } from './workflows-classes.ts'
import { writeProposal } from './workflows-init.ts'
import { lintFolder } from './workflows-lint.ts'
import { WORKFLOWS_FOLDER, workflowsFolder } from './workflows-folder.ts'
import { templatesCommand } from './workflows-templates-command.ts'

const comfyuiOption = () =>
  new Option('--comfyui <url>', 'query this server for the inputs of its nodes')
const objectInfoOption = () =>
  new Option(
    '--object-info <file>',
    'read them from a file instead: `GET /object_info` of a server',
  ).conflicts('comfyui')

const LINT_EXAMPLES = `
Examples:
  ftl workflows lint                                   the tools of the application
  ftl workflows lint --comfyui http://gpu:8188         also against what that server has
  ftl workflows lint my-tools --json | jq '.findings'`

const INIT_EXAMPLES = `
Examples:
  ftl workflows init ~/Downloads/portrait.json         copies it into components/workflows or tools/workflows
  ftl workflows init ~/Downloads/portrait.json --comfyui http://gpu:8188
  ftl workflows init image_z_image_turbo.json          a file that is there already
  ftl workflows init portrait.json --output config/portrait.json --force`

/** `ftl workflows`: tools made of ComfyUI workflows. */
export function workflowsCommand(): Command {
  return new Command('workflows')
    .description('Create and check tools from ComfyUI workflows, and find templates')
    .addHelpText('after', LINT_EXAMPLES)
    .addCommand(lintCommand())
    .addCommand(initCommand())
    .addCommand(templatesCommand())
}

function lintCommand(): Command {
  return new Command('lint')
    .description('Check the tools of a folder; exits with 1 if one cannot be used')
    .argument('[folder]', 'has config/ and workflows/ (components/workflows or tools/workflows)')
    .addOption(comfyuiOption())
    .addOption(objectInfoOption())
    .option('--json', 'print the findings as JSON')
    .addHelpText('after', LINT_EXAMPLES)
    .action(async (given: string | undefined, flags: ServerFlags & { json?: boolean }) => {
      const folder = given ?? workflowsFolder() ?? WORKFLOWS_FOLDER
      const { tools, findings } = await lintFolder(folder, await readServer(flags))
      const errors = findings.filter(({ severity }) => severity === 'error').length
      if (flags.json) {
        lineJson({ tools, findings }, 2)
      } else {
        for (const finding of findings) note(formatFinding(finding))
        const warnings = findings.length - errors
        const names = tools.length === 0 ? '' : `: ${tools.join(', ')}`
        const count = `${tools.length} tool${tools.length === 1 ? '' : 's'}`
        line(paint('dim', `${count}${names}; ${errors} errors, ${warnings} warnings`))
      }
      if (errors > 0) process.exitCode = 1
    })
}

function initCommand(): Command {
  return new Command('init')
    .description(
      'Write a first configuration for a workflow, and convert it if the editor saved it',
    )
    .argument(
      '<file>',
      'the workflow; a name alone is also looked for in the folder workflows/ of the component',
    )
    .addOption(comfyuiOption())
    .addOption(objectInfoOption())
    .option('--output <file>', 'file to write (in `config/`, beside the folder `workflows/`)')
    .option('--force', 'overwrite an existing file')
    .addHelpText('after', INIT_EXAMPLES)
    .action(async (file: string, flags: ServerFlags & { output?: string; force?: boolean }) => {
      const { output, converted, findings, renamed, fields } = await writeProposal(
        file,
        await readServer(flags),
        { ...flags, folder: workflowsFolder() },
      )
      for (const finding of findings) note(formatFinding(finding))
      if (output === undefined) throw new CommandFailure('there is no tool to be made of this file')
      if (converted !== undefined) line(`${converted}: the workflow in the API format`)
      line(`${output}: ${fields.length === 0 ? 'no fields' : fields.join(', ')}`)
      if (renamed !== undefined) {
        line(
          `The tool is called ${renamed}, because providers of models do not take the file's name. Change "name" there for another one.`,
        )
      }
    })
}
