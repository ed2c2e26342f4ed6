import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { Command, Option } from 'commander'
import { findManifest } from 'create-ftl-tool'
import type { ConfigError, parseConfig, ServerConfig } from 'ftl-client'
import type { Manifest } from 'ftl-host'
import { join } from 'node:path'
import { nextCommands } from '../bridge-stdio/next-commands.ts'
import { namedLines, withoutStyles } from '../bridge-stdio/server-log.ts'
import { loadApplication } from '../application/load-application.ts'
import { findRunning } from '../running/find.ts'
import { readRecords } from '../running/record.ts'
import { isLoopback } from '../serve/exposure.ts'
import { CommandFailure } from '../terminal/failure.ts'
import { untilSignal } from '../serve/signals.ts'
import { note, put } from '../terminal/terminal.ts'
import { line } from '../terminal/ui.ts'
import { parseAddress } from './options.ts'

interface BridgeStdioFlags {
  listen: string
  name?: string
  config?: string
  out: string
}

const EXAMPLES = `
Examples:
  ftl bridge-stdio -- npx -y @modelcontextprotocol/server-filesystem ~/notes
  ftl bridge-stdio --config .mcp.json`

/** Exit code of every command whose server could not be started. */
const NOT_STARTED = 4

export function bridgeStdioCommand(): Command {
  return new Command('bridge-stdio')
    .description(
      'Serve an MCP server that is a process (stdio) over Streamable HTTP, for the component `remote` or any client',
    )
    .argument('[command...]', 'the server and its arguments, after --')
    .option(
      '--config <file>',
      'serve every server of this file, in the format of Claude or VS Code',
    )
    .option(
      '--out <file>',
      'with `--config`, where the value of the variable `remote_servers` is written',
      'remote-servers.json',
    )
    .addOption(
      new Option('--listen <address>', 'address to listen on; port 0 uses a free port')
        .default('127.0.0.1:8765')
        .argParser(parseAddress),
    )
    .option('--name <name>', 'name of the server in messages (its command)')
    .addHelpText('after', EXAMPLES)
    .action(async ([command = '', ...args]: string[], flags: BridgeStdioFlags) => {
      if (flags.config !== undefined) {
        if (command !== '') throw new CommandFailure('give --config or a command, and not both')
        return serveConfig(flags.config, flags)
      }
      if (command === '')
        throw new CommandFailure('give the command of a server after --, or --config')
      const { listen, name = command } = flags
      // Loaded here, because every ftl command reads this file.
      const [{ ClientError }, { ServerProcess }, { mcpHandler }, { openFront }] = await Promise.all(
        [
          import('ftl-client'),
          import('../bridge-stdio/server-process.ts'),
          import('../bridge-stdio/mcp-handler.ts'),
          import('../bridge-stdio/http-front.ts'),
        ],
      )
      // From here on, so that Ctrl-C while the server starts ends it, too.
      const stopped = untilSignal()
      const server = await ServerProcess.start(
        { command, args, env: inherited() },
        {
          name,
          onStderr: (text) => put(withoutStyles(text), 'stderr'),
          onEnd: ({ message }, againInMs) =>
            line(`${message}\nStarting it again in ${againInMs / 1000} s`),
          onStart: ({ pid }) => line(`Started ${name} again (process ${pid})`),
        },
      ).catch((error: unknown) => {
        if (!(error instanceof ClientError)) throw error
        note(`ftl: ${error.message}`)
        process.exit(NOT_STARTED)
      })
      try {
        const front = await openFront(mcpHandler(server, name), { listen }).catch(
          (error: NodeJS.ErrnoException) => {
            throw error.code === 'EADDRINUSE'
              ? new CommandFailure(`${listen} is taken: give another --listen`)
              : error
          },
        )
        if (!isLoopback(listen)) {
          note(
            `ftl: WARNING: every client that reaches ${listen} can call every tool of ${name}: there is no authentication`,
          )
        }
        line(`Serving ${name} on ${front.url}`)
        await stopped
        await front.close()
      } finally {
        await server.stop()
      }
    })
}

async function serveConfig(path: string, { listen, out }: BridgeStdioFlags): Promise<void> {
  const [{ ConfigError, parseConfig }, { bridgeConfig }] = await Promise.all([
    import('ftl-client'),
    import('../bridge-stdio/bridge-config.ts'),
  ])
  const stopped = untilSignal()
  const servers = readServers(path, parseConfig, ConfigError)
  const watch = (name: string) => ({
    name,
    onStderr: (text: string) => put(namedLines(name, text), 'stderr'),
    onEnd: ({ message }: Error, againInMs: number) =>
      line(`${message}\nStarting it again in ${againInMs / 1000} s`),
    onStart: () => line(`Started ${name} again`),
  })
  const own = await ownOrigins(servers)
  // npx downloads a server that was not used before.
  line(`Starting the servers of ${path} …`)
  const bridged = await bridgeConfig(servers, { listen, env: inherited(), watch, own }).catch(
    (error: NodeJS.ErrnoException) => {
      throw error.code === 'EADDRINUSE'
        ? new CommandFailure(`${listen} is taken: give another --listen`)
        : error
    },
  )
  try {
    for (const problem of bridged.problems) note(`ftl: ${problem}`)
    const count = Object.keys(bridged.remoteServers).length
    if (count === 0) throw new CommandFailure(`no server of ${path} could be started`)
    // Headers of servers hold secrets; a file that is there keeps its rights otherwise.
    if (statSync(out, { throwIfNoEntry: false })?.isFile()) chmodSync(out, 0o600)
    writeFileSync(out, `${JSON.stringify(bridged.remoteServers, undefined, 2)}\n`, { mode: 0o600 })
    if (!isLoopback(listen)) {
      note(
        `ftl: WARNING: every client that reaches ${listen} can call every tool: there is no authentication`,
      )
    }
    const names = bridged.served.join(', ') || 'no process'
    line(
      `Serving ${names} on ${listen}, and wrote ${count} ${count === 1 ? 'server' : 'servers'} to ${out}. Now start the gateway:`,
    )
    for (const command of nextCommands(await ownManifest(), out)) line(`  ${command}`)
    await stopped
  } finally {
    await bridged.close()
  }
}

/** Of the application of this folder, if there is one that can be read. */
async function ownManifest(): Promise<Manifest | undefined> {
  const path = findManifest(process.cwd())
  if (path === undefined) return undefined
  return (await loadApplication(path, [])).manifest
}

/** Where the application of this folder is served, or where it will be: its clients know it by its name there. */
async function ownOrigins(servers: Readonly<Record<string, ServerConfig>>): Promise<string[]> {
  const { application } = await findRunning()
  if (application === undefined) return []
  const served = readRecords(application).map(({ url }) => url)
  const { manifest } = await loadApplication(join(application, 'spin.toml'), [])
  const named = Object.hasOwn(servers, manifest.application.name)
  return named ? [...served, 'http://127.0.0.1:3000', 'http://localhost:3000'] : served
}

/** @throws {CommandFailure} */
function readServers(
  path: string,
  parse: typeof parseConfig,
  Refused: typeof ConfigError,
): Record<string, ServerConfig> {
  try {
    return parse(readFileSync(path, 'utf8'))
  } catch (error) {
    if (error instanceof Refused) throw new CommandFailure(`${path}: ${error.message}`)
    throw new CommandFailure(`${path} cannot be read: ${(error as Error).message}`)
  }
}

/** Who starts it by hand means it to have what any command started there has. */
function inherited(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).filter(
      (entry): entry is [string, string] => entry[1] !== undefined,
    ),
  )
}
