import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { Command } from 'commander'
import { CommandFailure } from '../terminal/failure.ts'
import { servedHere } from '../running/find.ts'
import { hasDisplay } from '../sign-in/browser.ts'
import { untilSignal } from '../serve/signals.ts'
import { data, note, put } from '../terminal/terminal.ts'
import { line, paint } from '../terminal/ui.ts'
import { parsePort } from './options.ts'
import { addressProblem, addressWithPath } from './server-address.ts'
import { tokenHeader, tokenOption } from './token-option.ts'

const PACKAGE = '@modelcontextprotocol/inspector'

/** The version `ftl inspect` was tried with; a newer one could name its options otherwise. */
const INSPECTOR_VERSION = '2.12.0'

const EXAMPLES = `
Examples:
  ftl inspect                                  the Inspector in a browser, on the gateway of this machine
  ftl inspect --no-open                        the same, and only its address
  ftl inspect --cli --method tools/list        its command line
  ftl inspect --cli --method tools/call --tool-name echo --tool-arg message=Hello
  ftl inspect --url https://gw.example/mcp     another gateway`

interface InspectFlags {
  url?: string
  cli?: boolean
  port: number
  sandboxPort: number
  open: boolean
  token?: string
}

export function inspectCommand(): Command {
  return new Command('inspect')
    .description('Open the official MCP Inspector on a running gateway')
    .argument('[inspector-args...]', 'passed on to the Inspector')
    .option('--url <url>', 'the server (the application of this folder)')
    .addOption(tokenOption())
    .option('--cli', "use the Inspector's command line instead of its page")
    .option('--port <port>', 'port of its page', parsePort, 6274)
    .option('--sandbox-port <port>', 'port of the frames in which it shows apps', parsePort, 6275)
    .option('--no-open', 'do not open a browser (without a display, none is opened)')
    .allowUnknownOption()
    .addHelpText('after', EXAMPLES)
    .action(inspect)
}

async function inspect(args: string[], flags: InspectFlags): Promise<void> {
  const url = await reachableUrl(flags.url)
  const { command, args: program, fetched } = findInspector(process.cwd())
  if (fetched) {
    note(`The Inspector is not installed here; npx fetches it: npx ${program.join(' ')}`)
  }
  const own = tokenHeader(flags.token)
  const hasOwn = 'authorization' in own || args.some((each) => /^authorization:/i.test(each))
  const { storedTokenHeader } = await import('../sign-in/stored-token.ts')
  const token = hasOwn ? own : await storedTokenHeader(url)
  const header = Object.entries(token).flatMap((pair) => ['--header', pair.join(': ')])
  const target = flags.cli
    ? ['--cli', url, ...header, ...args]
    : [
        '--web',
        '--transport',
        'http',
        '--server-url',
        url,
        '--protocol-era',
        'auto',
        ...header,
        ...args,
      ]
  if (!flags.cli) line(paint('dim', `The Inspector on ${url}; Ctrl-C ends it`))
  const child = spawn(command, [...program, ...target], {
    // Its output repeats what the server says.
    stdio: ['inherit', 'pipe', 'pipe'],
    // A group of its own, which npx needs: it does not pass signals on to what it runs.
    detached: process.platform !== 'win32',
    env: {
      ...process.env,
      CLIENT_PORT: String(flags.port),
      MCP_SANDBOX_PORT: String(flags.sandboxPort),
      MCP_AUTO_OPEN_ENABLED: String(flags.open && hasDisplay()),
    },
  })
  child.stdout.setEncoding('utf8').on('data', data)
  child.stderr.setEncoding('utf8').on('data', (text: string) => put(text, 'stderr'))
  const ended = new Promise<number>((resolve) => {
    child.on('error', (error) => {
      note(`ftl: the Inspector could not be started: ${error.message}`)
      resolve(1)
    })
    child.on('close', (code) => resolve(code ?? 0))
  })
  const stopped = untilSignal().then(() => {
    if (child.pid === undefined) return
    if (process.platform === 'win32') child.kill()
    else process.kill(-child.pid, 'SIGTERM')
  })
  process.exitCode = await Promise.race([ended, stopped.then(() => ended)])
  process.exit()
}

/** @throws {CommandFailure} before anything is started: the Inspector would only say that it cannot connect. */
async function reachableUrl(given: string | undefined): Promise<string> {
  const problem = given === undefined ? undefined : addressProblem(given)
  if (problem !== undefined) throw new CommandFailure(problem)
  const url = given ?? (await servedHere())
  try {
    await fetch(new URL('/.well-known/spin/health', url), { signal: AbortSignal.timeout(5000) })
  } catch (error) {
    const { cause, message } = error as Error
    throw new CommandFailure(
      `no answer from ${url} (${cause instanceof Error ? cause.message : message})\nCheck the address, and whether the gateway is running.`,
    )
  }
  const meant = addressWithPath(url)
  if (meant !== undefined) throw new CommandFailure(`${url} has no path; did you mean ${meant}?`)
  return url
}

interface InspectorProgram {
  command: string
  args: string[]
  /** npm has to fetch it first. */
  fetched: boolean
}

/** The Inspector of the project, else the one installed with this command, else the one that npx downloads. */
function findInspector(folder: string): InspectorProgram {
  for (const from of [join(folder, 'x.js'), import.meta.url]) {
    const path = installedAt(from)
    if (path !== undefined) return { command: process.execPath, args: [path], fetched: false }
  }
  const args = ['--yes', `${PACKAGE}@${INSPECTOR_VERSION}`]
  return { command: process.platform === 'win32' ? 'npx.cmd' : 'npx', args, fetched: true }
}

function installedAt(from: string): string | undefined {
  try {
    const manifest = createRequire(from).resolve(`${PACKAGE}/package.json`)
    const { bin } = JSON.parse(readFileSync(manifest, 'utf8')) as { bin: Record<string, string> }
    const path = bin['mcp-inspector']
    return path === undefined ? undefined : join(dirname(manifest), path)
  } catch {
    return undefined
  }
}
