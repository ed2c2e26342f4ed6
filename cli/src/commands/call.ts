import { Command, Option } from 'commander'
import type { Manager, ServerTool, ToolResult } from 'ftl-client'
import { CommandFailure } from '../failure.ts'
import { line } from '../ui.ts'
import { mergeArguments } from './call-arguments.ts'
import { resultTexts } from './call-result.ts'
import { type ServerFlags, withServerOptions } from './server-options.ts'

const EXAMPLES = `
Examples:
  ftl call echo message=Hello
  ftl call resize --arg width=640 --arg sharpen=true --arg tag=a --arg tag=b
  ftl call report --args @report.json
  jq '{text: .title}' page.json | ftl call summarize --args -
  ftl call generate_image prompt='A lighthouse' --save pictures
  ftl call calculator '{"expression":"2*(3+4)^2"}' --json
  ftl call read_text_file path=README.md --config .mcp.json --server files`

interface CallFlags extends ServerFlags {
  arg: string[]
  args?: string
  save?: string
}

export function callCommand(): Command {
  return withServerOptions(
    new Command('call')
      .description('Call a tool and wait for its result, also if it starts a job')
      .argument('<tool>', 'name of the tool')
      .argument(
        '[arguments...]',
        'one JSON object, or name=value; name:=json for anything but text',
      )
      .addOption(
        new Option('-a, --arg <name=value>', 'the same as an option; repeatable, also for a list')
          .default([], 'none')
          .argParser((text: string, before: string[]) => [...before, text]),
      )
      .option('--args <json>', 'all arguments: a JSON object, @file, or - for standard input')
      .option('--save <folder>', 'folder for images and files of the result (a temporary folder)')
      .addHelpText('after', EXAMPLES),
  ).action(async (tool: string, args: string[], flags: CallFlags) => {
    const { chosenServers, EXIT, withManager } = await import('./servers.ts')
    const servers = chosenServers(flags)
    await withManager(flags, async (manager, signal) => {
      const options = { signal, timeoutMs: flags.timeout * 1000 }
      const outcomes = Object.values(await manager.connectAll(servers, options))
      const [failure] = outcomes.flatMap((outcome) => ('error' in outcome ? [outcome.error] : []))
      if (failure && outcomes.length === 1) throw failure
      const found = await locate(manager, tool, Object.keys(servers), options)
      const { server } = found
      const input = mergeArguments(flags.args, [...args, ...flags.arg], found.tool?.inputSchema)
      const result = await manager.callTool(server, tool, input, {
        ...options,
        // Progress is requested only if a person can see it.
        onProgress: process.stderr.isTTY
          ? ({ message }) => message !== undefined && console.error(`… ${message}`)
          : undefined,
      })
      report(result, tool, flags)
      return result.isError === true ? EXIT.toolFailed : 0
    })
  })
}

/** Where the tool is. With one server the tool need not be listed: that server says best what is wrong with it. */
async function locate(
  manager: Manager,
  tool: string,
  servers: readonly string[],
  options: { signal: AbortSignal; timeoutMs: number },
): Promise<Partial<ServerTool> & { server: string }> {
  const found = await manager.findTool(tool, options)
  if (found) return found
  const [only, ...more] = servers
  if (only !== undefined && more.length === 0) return { server: only }
  throw new CommandFailure(`no server has a tool "${tool}": "ftl tools" lists all tools`)
}

function report(result: ToolResult, tool: string, { json, save }: CallFlags): void {
  if (json) return line(JSON.stringify(result))
  for (const text of resultTexts(result, tool, save)) {
    if (result.isError === true) console.error(text)
    else line(text)
  }
}
