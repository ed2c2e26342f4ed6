import { Command } from 'commander'
import type { SignedOut } from 'ftl-client/auth'
import { CommandFailure } from '../terminal/failure.ts'
import { line } from '../terminal/ui.ts'
import { duration } from '../sign-in/describe.ts'
import { visible } from '../terminal/visible-text.ts'
import { tokenOption } from './token-option.ts'

const EXAMPLES = `
Examples:
  ftl logout                                    of the application of this folder
  ftl logout https://gateway.example/mcp
  ftl logout --all                              of every server
  ftl logout --server tracker                   of a server behind the gateway
  ftl logout --server tracker --user key:ada    as the operator of the gateway`

export function logoutCommand(): Command {
  return new Command('logout')
    .description('Remove the token of an MCP server, and revoke it at the authorization server')
    .argument('[url]', 'address of the server (the application of this folder)')
    .option('--all', 'sign out of every server')
    .option(
      '--server <name>',
      'forget your account at this server of the `remote_servers` of the gateway',
    )
    .option(
      '--user <principal>',
      'with `--server`, for the operator: forget the account of this user, as `ftl whoami` prints it',
    )
    .addOption(tokenOption())
    .addHelpText('after', EXAMPLES)
    .action(logout)
}

interface LogoutFlags {
  all?: boolean
  server?: string
  user?: string
  token?: string
}

async function logout(
  url: string | undefined,
  { all = false, server: remote, user, token }: LogoutFlags,
): Promise<void> {
  if (user !== undefined && remote === undefined) throw new CommandFailure('--user needs --server')
  if (remote !== undefined) {
    if (all) throw new CommandFailure('give --server, or --all, and not both')
    const { reported } = await import('../sign-in/exit-with-hint.ts')
    if (user !== undefined) {
      const { signOutUser } = await import('../sign-in/of-user.ts')
      return reported(() => signOutUser(url, { server: remote, user }))
    }
    const { signOutAtRemote } = await import('../sign-in/at-remote.ts')
    const given = token === undefined ? {} : { token }
    return reported(() => signOutAtRemote(url, { server: remote, ...given }))
  }
  if (all && url !== undefined) throw new CommandFailure('give an address, or --all, and not both')
  const { chosenServer } = await import('../sign-in/chosen-server.ts')
  const { reported } = await import('../sign-in/exit-with-hint.ts')
  const { commandClient } = await import('../sign-in/client.ts')
  const { signOut, TokenStore } = await import('ftl-client/auth')
  const only = all ? undefined : await chosenServer(url)
  await reported(async () => {
    const store = new TokenStore()
    const client = await commandClient()
    const servers = only === undefined ? (await store.all()).map(({ server }) => server) : [only]
    if (servers.length === 0) line('You are not signed in at any server.')
    let failed = false
    for (const server of servers) {
      const done = await signOut(server, { store, client })
      line(`${visible(server)}: ${outcome(done)}`)
      failed ||= done?.revocation === 'failed'
    }
    return failed ? 4 : 0
  })
}

function outcome(done: SignedOut | undefined): string {
  if (!done) return 'you are not signed in'
  const { issuer, revocation, reason = '', acceptedUntil } = done
  if (revocation === 'revoked') {
    return acceptedUntil === undefined
      ? 'signed out; the tokens are revoked'
      : 'signed out; the tokens are revoked at the authorization server. A server that does not ask it, such as a ' +
          `gateway of ftl, accepts the last one until it expires, in ${duration(acceptedUntil - Date.now())}.`
  }
  if (revocation === 'partly') {
    return 'signed out; no further token can be got. The last one is valid until it expires.'
  }
  return (
    'signed out. The token is removed from this machine, but is valid until it expires: ' +
    (revocation === 'unsupported' ? `${visible(issuer)} cannot revoke it.` : visible(reason))
  )
}
