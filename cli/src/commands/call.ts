import { Command, Option } from 'commander'
import type { ClientError, Manager, ServerTool, ToolResult } from 'ftl-client'
import { nearestName } from 'ftl-host/nearest-name'
import { CommandFailure } from '../terminal/failure.ts'
import { data, isTerminal, note } from '../terminal/terminal.ts'
import { line, progressLine } from '../terminal/ui.ts'
import { visible, visibleJson } from '../terminal/visible-text.ts'
import { mergeArguments } from './call-arguments.ts'
import { abandonedText, progressText } from './call-progress.ts'
import type { LinkSource } from './linked-file.ts'
import { parameterLines, refuseMistyped, unknownText } from './parameters.ts'
import { type ServerFlags, withServerOptions } from './server-options.ts'

/** Of a result: the call needs an approval. */
const APPROVAL_KEY = 'ftl/approval'

const EXAMPLES = `
Examples:
  ftl call echo message=Hello
  ftl call resize --arg width=640 --arg sharpen=true --arg tag=a --arg tag=b
  ftl call report --args @report.json
  jq '{text: .title}' page.json | ftl call summarize --args -
  ftl call delete_city name=Oslo --yes
  ftl call generate_image prompt='A lighthouse' --save pictures
  ftl call calculator '{"expression":"2*(3+4)^2"}' --json
  ftl call read_text_file path=README.md --config .mcp.json --server files

Exit codes:
  0    the tool succeeded
  1    wrong usage or configuration
  4    the server cannot be reached, or a file of the result could not be saved
  5    the tool failed: its result has isError
  6    the server answered with a JSON-RPC error, as for an unknown tool
  7    no response in time
  8    the response violates the protocol
  130  Ctrl-C

Without --url, --config and --server, the command calls the application of this folder that is being served. If a tool
asks its user a question, or a person must approve the call, answer at the terminal.`

interface CallFlags extends ServerFlags {
  arg: string[]
  args?: string
  save?: string
  force?: boolean
  yes?: boolean
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
        new Option('-a, --arg <name=value>', 'one argument; repeatable, which also makes a list')
          .default([])
          .argParser((text: string, before: string[]) => [...before, text]),
      )
      .option('--args <json>', 'all arguments: a JSON object, `@file`, or `-` for standard input')
      .option(
        '--save <folder>',
        'folder for images and files of the result, also for those it links to (a temporary folder, without links)',
      )
      .option(
        '-y, --yes',
        'approve the call if a person must (docs/approval.md); the tool cannot ask questions then',
      )
      .option('--force', 'with `--save`, replace files of the same name (add a number)')
      .addHelpText('after', EXAMPLES),
  ).action(async (tool: string, args: string[], flags: CallFlags) => {
    const { chosenServers, EXIT, withManager } = await import('./servers.ts')
    if (flags.save !== undefined) {
      const { prepareFolder } = await import('./saved-files.ts')
      prepareFolder(flags.save)
    }
    const { approver, HOW_TO_APPROVE } = await import('../elicitation/approve.ts')
    const approve = approver(flags.yes === true)
    let job: string | undefined
    const call = async (manager: Manager, signal: AbortSignal): Promise<number> => {
      const servers = await chosenServers(flags)
      const options = { signal, timeoutMs: flags.timeout * 1000 }
      const outcomes = Object.values(await manager.connectAll(servers, options))
      const [failure] = outcomes.flatMap((outcome) => ('error' in outcome ? [outcome.error] : []))
      if (failure && outcomes.length === 1) throw failure
      const found = await locate(manager, tool, Object.keys(servers), options)
      const { server } = found
      const schema = found.tool?.inputSchema
      const single = [...args, ...flags.arg]
      if (schema) refuseMistyped(tool, single, schema)
      const input = mergeArguments(flags.args, single, schema)
      const unknown = schema && unknownText(tool, input, schema)
      if (unknown !== undefined) note(unknown)
      const result = await manager
        .callTool(server, tool, input, {
          ...options,
          ...(approve && { approve }),
          // Progress is requested only if a person can see it.
          onProgress: isTerminal('stderr')
            ? (progress) => note(`… ${progressText(progress)}`)
            : undefined,
          onTask: (id) => (job = id),
        })
        .catch((error: ClientError) => {
          if (flags.json === true) throw error
          throw withHint(error, found, tool, job === undefined ? '' : abandonedText(job, flags.url))
        })
      const config = servers[server]
      const { configuredFetch } = await import('ftl-client/auth')
      const allSaved = await report(result, {
        tool,
        flags,
        links:
          flags.save !== undefined && config && 'url' in config
            ? {
                url: config.url,
                headers: config.headers ?? {},
                fetch: config.auth && (await configuredFetch(config.url, config.auth)),
                ...options,
              }
            : undefined,
      })
      if (result.isError !== true) return allSaved ? 0 : EXIT.notSaved
      if (!approve && result._meta?.[APPROVAL_KEY] !== undefined) note(HOW_TO_APPROVE)
      if (isAboutArguments(result) && schema && flags.json !== true) {
        note(parameters(tool, schema))
      }
      return EXIT.toolFailed
    }
    const { terminalAnswers } = await import('../elicitation/terminal-answers.ts')
    // A server that can ask would ask for the approval, too, which --yes has given.
    await withManager(flags, call, flags.yes === true ? {} : terminalAnswers())
  })
}

/** The first line of a refusal by the gateway, and by the SDK. */
function isAboutArguments({ content: [first] }: ToolResult): boolean {
  return first?.type === 'text' && first.text.startsWith('Invalid arguments')
}

function parameters(tool: string, schema: unknown): string {
  const lines = parameterLines(schema)
  const name = visible(tool)
  return lines.length === 0
    ? `${name} has no parameters.`
    : [`Parameters of ${name}:`, ...lines].join('\n')
}

/** JSON-RPC code of revision 2026-07-28: the tool needs a capability that the client did not declare. */
const MISSING_CAPABILITY = -32021

/** Adds to the server's words what the user can do. */
function withHint(
  error: ClientError,
  { tool, names }: Located,
  name: string,
  abandoned: string,
): ClientError {
  if (error.kind === 'cancelled') error.message += abandoned
  if (error.kind !== 'rpc') return error
  const { code } = error as ClientError & { code?: unknown }
  if (code === MISSING_CAPABILITY && !process.stdin.isTTY) {
    error.message +=
      '\nThe tool asks its user a question, and standard input is not a terminal. Run the command in a terminal.'
  } else if (tool === undefined) {
    const meant = nearestName(name, names)
    error.message +=
      (meant === undefined ? '' : `\nDid you mean ${visible(meant)}?`) +
      '\n"ftl tools" lists the tools.'
  }
  return error
}

interface Located extends Partial<ServerTool> {
  server: string
  /** Of every tool that the servers list. */
  names: string[]
}

/** Where the tool is. With one server the tool need not be listed: that server says best what is wrong with it. */
async function locate(
  manager: Manager,
  tool: string,
  servers: readonly string[],
  options: { signal: AbortSignal; timeoutMs: number },
): Promise<Located> {
  const all = await manager.allTools(options)
  const names = all.map((each) => each.tool.name)
  const found = all.find((each) => each.tool.name === tool)
  if (found) return { ...found, names }
  const [only, ...more] = servers
  if (only !== undefined && more.length === 0) return { server: only, names }
  const meant = nearestName(tool, names)
  throw new CommandFailure(
    `no server has a tool "${visible(tool)}"${meant === undefined ? '' : `; did you mean ${visible(meant)}?`}\n` +
      '"ftl tools" lists all tools.',
  )
}

interface ReportOptions {
  tool: string
  flags: CallFlags
  links: LinkSource | undefined
}

/** Prints the result and saves its files. @returns whether every file was saved. */
async function report(
  result: ToolResult,
  { tool, flags: { json, save, force }, links }: ReportOptions,
): Promise<boolean> {
  if (json) line(visibleJson(JSON.stringify(result)))
  if (json && save === undefined) return true
  const { resultTexts } = await import('./call-result.ts')
  const { savedFiles } = await import('./saved-files.ts')
  const files = savedFiles({ folder: save, force })
  const progress = progressLine()
  const texts = await resultTexts(result, {
    tool,
    files,
    links: links && { ...links, onProgress: progress.show },
  }).finally(progress.clear)
  for (const { text, isFailure } of texts) {
    // With --json, standard output has only the JSON.
    if (result.isError === true || isFailure === true || json) note(text)
    else data(`${text}\n`)
  }
  return !texts.some(({ isFailure }) => isFailure)
}
