import { Command } from 'commander'
import type { ClientError, ServerTool } from 'ftl-client'
import { nearestName } from 'ftl-host/nearest-name'
import { CommandFailure } from '../terminal/failure.ts'
import { note } from '../terminal/terminal.ts'
import { line, paint } from '../terminal/ui.ts'
import { visible, visibleJson, visibleLines } from '../terminal/visible-text.ts'
import { parameterLines } from './parameters.ts'
import { showFound } from './search-tools.ts'
import { type ServerFlags, withServerOptions } from './server-options.ts'

const EXAMPLES = `
Examples:
  ftl tools                                     those of the application of this folder
  ftl tools greet                               one tool with its parameters
  ftl tools --search 'send an email'            those that do this, the best first
  ftl tools --json | jq '.[].name'              with their schemas, for programs
  ftl tools --url https://gw.example/mcp --header 'authorization: Bearer x'
  ftl tools --config .mcp.json                  those of every server of a configuration`

export function toolsCommand(): Command {
  return withServerOptions(
    new Command('tools')
      .description('List the tools of MCP servers, of the application of this folder by default')
      .argument('[tool]', 'show only this tool, with its parameters')
      .option(
        '--search <query>',
        'list the tools that do what you describe, the best first (docs/many-tools.md)',
      )
      .addHelpText('after', EXAMPLES),
  ).action(async (name: string | undefined, flags: ToolsFlags) => {
    const { chosenServers, reportWithHint, withManager } = await import('./servers.ts')
    await withManager(flags, async (manager, signal) => {
      const servers = await chosenServers(flags)
      const options = { signal, timeoutMs: flags.timeout * 1000 }
      const outcomes = Object.values(await manager.connectAll(servers, options))
      const failures: ClientError[] = []
      for (const outcome of outcomes) {
        if ('error' in outcome) failures.push(outcome.error)
        else
          await outcome.client
            .listTools(options)
            .catch((error: ClientError) => failures.push(error))
      }
      if (flags.search !== undefined) {
        if (failures.length === outcomes.length && failures[0]) throw failures[0]
        await showFound(outcomes, flags.search, { json: flags.json === true, ...options })
        return failures.map((failure) => reportWithHint(failure)).at(-1) ?? 0
      }
      // The only server there is: its failure is the answer.
      if (failures.length === outcomes.length && failures[0]) throw failures[0]
      const all = await manager.allTools(options)
      const tools = name === undefined ? all : [only(name, all)]
      if (flags.json)
        line(visibleJson(JSON.stringify(tools.map(({ server, tool }) => ({ server, ...tool })))))
      else if (name === undefined) show(tools, outcomes.length > 1)
      else for (const { tool } of tools) describe(tool)
      // What works is shown, and the exit code tells that it is not all.
      return failures.map((failure) => reportWithHint(failure)).at(-1) ?? 0
    })
  })
}

interface ToolsFlags extends ServerFlags {
  search?: string
}

/** @throws {CommandFailure} that names the nearest one. */
function only(name: string, all: readonly ServerTool[]): ServerTool {
  const found = all.find(({ tool }) => tool.name === name)
  if (found) return found
  const names = all.map(({ tool }) => tool.name)
  const meant = nearestName(name, names)
  throw new CommandFailure(
    `there is no tool "${visible(name)}"${meant === undefined ? '' : `; did you mean ${visible(meant)}?`}\n` +
      '"ftl tools" lists the tools.',
  )
}

function describe({ name, description = '', inputSchema }: ServerTool['tool']): void {
  line(paint('cyan', visible(name)))
  if (description !== '') line(visibleLines(description))
  const lines = parameterLines(inputSchema)
  line(lines.length === 0 ? 'It has no parameters.' : 'Parameters:')
  for (const each of lines) line(each)
}

function show(tools: readonly ServerTool[], withServers: boolean): void {
  if (tools.length === 0) {
    note('there are no tools; GET /health/components of the gateway says why')
    return
  }
  const width = Math.max(...tools.map(({ tool }) => tool.name.length))
  let before: string | undefined
  for (const { server, tool } of tools) {
    if (withServers && server !== before) line(paint('bold', server))
    before = server
    const [summary = ''] = (tool.description ?? '').split('\n')
    const name = paint('cyan', visible(tool.name).padEnd(width))
    line(`${withServers ? '  ' : ''}${name}  ${visible(summary)}`.trimEnd())
  }
}
