import { Command } from 'commander'
import type { Manager, ServerTool, ToolResult } from 'ftl-client'
import { CommandFailure } from '../failure.ts'
import { line } from '../ui.ts'
import { parseArguments } from './call-arguments.ts'
import { type ServerFlags, withServerOptions } from './server-options.ts'

const EXAMPLES = `
Examples:
  ftl call echo message=Hello
  ftl call calculator '{"expression":"2*(3+4)^2"}' --json
  ftl call read_text_file path=README.md --config .mcp.json --server files`

export function callCommand(): Command {
  return withServerOptions(
    new Command('call')
      .description('Call a tool and wait for its result, also when that is a job')
      .argument('<tool>', 'name of the tool')
      .argument(
        '[arguments...]',
        'one JSON object, or name=value; name:=json for anything but text',
      )
      .addHelpText('after', EXAMPLES),
  ).action(async (tool: string, args: string[], flags: ServerFlags) => {
    const { chosenServers, EXIT, withManager } = await import('./servers.ts')
    const servers = chosenServers(flags)
    await withManager(flags, async (manager, signal) => {
      const options = { signal, timeoutMs: flags.timeout * 1000 }
      const outcomes = Object.values(await manager.connectAll(servers, options))
      const [failure] = outcomes.flatMap((outcome) => ('error' in outcome ? [outcome.error] : []))
      if (failure && outcomes.length === 1) throw failure
      const found = await locate(manager, tool, Object.keys(servers), options)
      const { server } = found
      const input = parseArguments(args, found.tool?.inputSchema)
      const result = await manager.callTool(server, tool, input, {
        ...options,
        // Asked for only where somebody is there to read it.
        ...(process.stderr.isTTY && {
          onProgress: ({ message }) => message !== undefined && console.error(`… ${message}`),
        }),
      })
      report(result, flags.json)
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
  throw new CommandFailure(`no server has a tool "${tool}": ftl tools shows what there is`)
}

function report(result: ToolResult, asJson = false): void {
  if (asJson) line(JSON.stringify(result))
  else for (const content of result.content) say(textOf(content), result.isError === true)
}

function say(text: string, isError: boolean): void {
  if (isError) console.error(text)
  else line(text)
}

function textOf(content: ToolResult['content'][number]): string {
  switch (content.type) {
    case 'text':
      return content.text
    case 'resource_link':
      return content.uri
    case 'resource':
      return 'text' in content.resource ? content.resource.text : content.resource.uri
    default: {
      // Streams name the address of a picture where the protocol has its bytes.
      const { source } = content as { source?: unknown }
      return typeof source === 'string'
        ? source
        : `(${content.type} ${content.mimeType}, ${content.data.length} characters of base64; --json prints them)`
    }
  }
}
