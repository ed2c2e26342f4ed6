/**
 * The `ftl` command.
 *
 * @module
 */
import { readFileSync } from 'node:fs'
import { Command, Option } from 'commander'
import { activityCommand } from './commands/activity.ts'
import { addCommand, removeCommand } from './commands/add.ts'
import { auditCommand } from './commands/audit.ts'
import { bridgeCommand } from './commands/bridge.ts'
import { bridgeStdioCommand } from './commands/bridge-stdio.ts'
import { buildCommand } from './commands/build.ts'
import { completeCommand, completionCommand } from './commands/completion.ts'
import { deployCommand } from './commands/deploy.ts'
import { doctorCommand } from './commands/doctor.ts'
import { inspectCommand } from './commands/inspect.ts'
import { callCommand } from './commands/call.ts'
import { codeCommand } from './commands/code.ts'
import { buildProcessCommand, devCommand } from './commands/dev.ts'
import { keyCommand } from './commands/key.ts'
import { loginCommand } from './commands/login.ts'
import { logoutCommand } from './commands/logout.ts'
import { newCommand } from './commands/new.ts'
import { pinCommand } from './commands/pin.ts'
import { policyCommand } from './commands/policy.ts'
import { publishCommand } from './commands/publish.ts'
import { spinConfigCommand } from './commands/spin-config.ts'
import { startCommand } from './commands/start.ts'
import { testCommand } from './commands/test.ts'
import { testHostCommand } from './commands/test-host.ts'
import { toolsCommand } from './commands/tools.ts'
import { upCommand } from './commands/up.ts'
import { whoamiCommand } from './commands/whoami.ts'
import { workflowsCommand } from './commands/workflows.ts'
import { describeFailure } from './failure.ts'
import { abandonStep, endWithReader } from './ui.ts'

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

/** Every command and option there is; what the documentation shows is checked against it. */
export function createProgram(): Command {
  const program = new Command('ftl')
    .description('Build and serve MCP tools as WebAssembly components')
    .version(version, '-V, --version')
    .addHelpText('after', EXAMPLES)
    .addOption(new Option('--debug', 'show the stack of an error').env('FTL_DEBUG'))
    .showHelpAfterError('(see ftl --help)')
  for (const command of [
    newCommand(),
    startCommand(),
    devCommand(),
    buildCommand(),
    upCommand(),
    spinConfigCommand(),
    bridgeCommand(),
    bridgeStdioCommand(),
    testCommand(),
    toolsCommand(),
    callCommand(),
    codeCommand(),
    inspectCommand(),
    loginCommand(),
    logoutCommand(),
    whoamiCommand(),
    activityCommand(),
    doctorCommand(),
    deployCommand(),
    addCommand(),
    removeCommand(),
    publishCommand(),
    keyCommand(),
    auditCommand(),
    pinCommand(),
    policyCommand(),
    completionCommand(),
    workflowsCommand(),
  ]) {
    program.addCommand(command)
  }
  program.addCommand(buildProcessCommand(), { hidden: true })
  program.addCommand(testHostCommand(), { hidden: true })
  program.addCommand(completeCommand(program), { hidden: true })
  return program
}

export async function main(args: string[]): Promise<void> {
  endWithReader()
  const program = createProgram()
  try {
    await program.parseAsync(args, { from: 'user' })
  } catch (error) {
    abandonStep()
    console.error(describeFailure(error, program.opts<{ debug?: boolean }>().debug === true))
    process.exit(1)
  }
}
