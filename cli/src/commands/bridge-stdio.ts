import { Command, Option } from 'commander'
import { isLoopback } from '../serve/exposure.ts'
import { CommandFailure } from '../terminal/failure.ts'
import { untilSignal } from '../serve/signals.ts'
import { note, put } from '../terminal/terminal.ts'
import { line } from '../terminal/ui.ts'
import { parseAddress } from './options.ts'

interface BridgeStdioFlags {
  listen: string
  name?: string
}

const EXAMPLES = `
Example:
  ftl bridge-stdio -- npx -y @modelcontextprotocol/server-filesystem ~/notes`

/** Exit code of every command whose server could not be started. */
const NOT_STARTED = 4

export function bridgeStdioCommand(): Command {
  return new Command('bridge-stdio')
    .description(
      'Serve an MCP server that is a process (stdio) over Streamable HTTP, for the component `remote` or any client',
    )
    .argument('<command...>', 'the server and its arguments, after --')
    .addOption(
      new Option('--listen <address>', 'address to listen on; port 0 uses a free port')
        .default('127.0.0.1:8765')
        .argParser(parseAddress),
    )
    .option('--name <name>', 'name of the server in messages (its command)')
    .addHelpText('after', EXAMPLES)
    .action(async ([command = '', ...args]: string[], flags: BridgeStdioFlags) => {
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
          onStderr: (text) => put(text, 'stderr'),
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

/** Who starts it by hand means it to have what any command started there has. */
function inherited(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).filter(
      (entry): entry is [string, string] => entry[1] !== undefined,
    ),
  )
}
