import { Command, InvalidArgumentError, Option } from 'commander'
import type { ClientSettings } from 'ftl-client/auth'
import { CommandFailure } from '../terminal/failure.ts'
import {
  type ClientFlags,
  parseScopes,
  SECRET_VARIABLE,
  withClientOptions,
} from '../sign-in/client-options.ts'
import { line, paint } from '../terminal/ui.ts'
import { parsePort } from './options.ts'
import { pairsOption } from './pairs-option.ts'
import { tokenOption } from './token-option.ts'

const EXAMPLES = `
Examples:
  ftl login                                         at the application of this folder
  ftl login https://gateway.example/mcp             opens a browser
  ftl login https://gateway.example/mcp --no-browser   prints the address, for a machine without a browser
  ftl login https://gateway.example/mcp --scope "tools files"
  ftl login https://gateway.example/mcp --client-credentials --client-id ci --private-key ci.pem
  ftl login --server tracker                        with your account at a server behind the gateway

A program with a client secret sets FTL_CLIENT_SECRET, and names its authorization server with --issuer.
"ftl call", "ftl tools" and "ftl inspect" then use the token of the server, and renew it.`

interface LoginFlags extends ClientFlags {
  clientCredentials?: boolean
  scope?: string
  redirectPort?: number
  parameter: Readonly<Record<string, string>>
  browser: boolean
  timeout: number
  server?: string
  code?: string
  token?: string
}

export function loginCommand(): Command {
  return withClientOptions(
    new Command('login')
      .description('Sign in at an MCP server, and store the token for the other commands')
      .argument('[url]', 'address of the server (the application of this folder)'),
  )
    .option(
      '--client-credentials',
      'sign in as a program, without a browser: with a private key, or the secret in `FTL_CLIENT_SECRET`',
    )
    .addOption(
      new Option(
        '--scope <scopes>',
        'scopes to request, separated by spaces (those that the server requires)',
      ).argParser(parseScopes),
    )
    .option(
      '--redirect-port <port>',
      'port on `127.0.0.1` for the browser to return to (a free one)',
      parsePort,
    )
    .addOption(
      pairsOption(
        '--parameter <name=value>',
        'add a parameter to the authorization request, such as `audience=https://…`',
      ),
    )
    .option(
      '--server <name>',
      'sign in with your account at this server of the `remote_servers` of the gateway',
    )
    .option('--code <code>', 'with `--server`: the code that the page has shown')
    .addOption(tokenOption())
    .option('--no-browser', 'print the address and open no browser')
    .option('--timeout <seconds>', 'time to wait for the browser', parseWait, 300)
    .addHelpText('after', EXAMPLES)
    .action(login)
}

async function login(url: string | undefined, flags: LoginFlags): Promise<void> {
  const { server: remote, code, token, browser } = flags
  if (remote !== undefined) {
    const { reported } = await import('../sign-in/exit-with-hint.ts')
    const { signInAtRemote } = await import('../sign-in/at-remote.ts')
    const given = { ...(code !== undefined && { code }), ...(token !== undefined && { token }) }
    return reported(() => signInAtRemote(url, { server: remote, browser, ...given }))
  }
  if (code !== undefined) throw new CommandFailure('--code needs --server')
  const { chosenServer } = await import('../sign-in/chosen-server.ts')
  const { reported } = await import('../sign-in/exit-with-hint.ts')
  const server = await chosenServer(url)
  await reported(async () => {
    const { commandClient } = await import('../sign-in/client.ts')
    const client = await commandClient(flags)
    const { describeSignIn } = await import('../sign-in/describe.ts')
    const done = await (flags.clientCredentials ? asMachine : asUser)(server, client, flags)
    line(`${paint('green', '✓')} Signed in`)
    for (const [name, value] of describeSignIn(done)) line(`  ${name.padEnd(6)}  ${value}`)
    return 0
  })
}

async function asUser(server: string, client: ClientSettings, flags: LoginFlags) {
  const { signInAtTerminal } = await import('../sign-in/at-terminal.ts')
  const { scope, redirectPort, parameter: parameters, browser, timeout } = flags
  return signInAtTerminal(server, {
    client,
    browser,
    parameters,
    timeoutSeconds: timeout,
    ...(scope !== undefined && { scope }),
    ...(redirectPort !== undefined && { redirectPort }),
  })
}

async function asMachine(server: string, client: ClientSettings, { scope }: LoginFlags) {
  if (client.id === undefined || (client.secret ?? client.key) === undefined) {
    throw new CommandFailure(
      `--client-credentials needs --client-id, and --private-key or the variable ${SECRET_VARIABLE}`,
    )
  }
  const { signInMachine, TokenStore } = await import('ftl-client/auth')
  return signInMachine(server, {
    store: new TokenStore(),
    client,
    ...(scope !== undefined && { scope }),
  })
}

function parseWait(text: string): number {
  const seconds = Number(text)
  if (seconds > 0 && seconds <= 3600) return seconds
  throw new InvalidArgumentError('give a number of seconds, more than 0 and at most 3600')
}
