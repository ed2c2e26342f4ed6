import { Command } from 'commander'
import { isString, jsonOf, memberOf } from 'ftl-contract'
import { CommandFailure } from '../terminal/failure.ts'
import { line } from '../terminal/ui.ts'
import { visible, visibleJson } from '../terminal/visible-text.ts'
import { besideMcp } from './server-address.ts'
import { tokenHeader, tokenOption } from './token-option.ts'

const EXAMPLES = `
Examples:
  ftl whoami                                    at the application of this folder
  ftl whoami https://gateway.example/mcp
  ftl whoami --json`

interface WhoamiFlags {
  url?: string
  token?: string
  json?: boolean
}

export function whoamiCommand(): Command {
  return new Command('whoami')
    .description('Show who you are at a gateway, and how long your token is valid')
    .argument('[url]', 'address of the server (the application of this folder)')
    .option('--url <url>', 'the address, as `ftl call` and `ftl tools` have it')
    .addOption(tokenOption())
    .option('--json', 'print JSON')
    .addHelpText('after', EXAMPLES)
    .action(whoami)
}

async function whoami(
  argument: string | undefined,
  { url, token, json = false }: WhoamiFlags,
): Promise<void> {
  if (argument !== undefined && url !== undefined)
    throw new CommandFailure('give one address, and not also --url')
  const { chosenServer } = await import('../sign-in/chosen-server.ts')
  const { reported } = await import('../sign-in/exit-with-hint.ts')
  const { commandClient } = await import('../sign-in/client.ts')
  const { authorizedFetch, serverAddress, StoredTokens, TokenStore } =
    await import('ftl-client/auth')
  const chosen = await chosenServer(argument ?? url)
  await reported(async () => {
    const server = serverAddress(chosen)
    const store = new TokenStore()
    const headers = tokenHeader(token)
    const client = await commandClient()
    const request =
      'authorization' in headers
        ? fetch
        : authorizedFetch(server, new StoredTokens(server, { store, client }))
    const caller = await callerAt(besideMcp(server, 'whoami'), request, headers)
    // After the request, which may have renewed the token.
    const found = 'authorization' in headers ? undefined : await store.find(server)
    if (json) {
      const { issuer, client, grant, tokens } = found ?? {}
      const signIn = found && {
        issuer,
        client: client?.id,
        grant,
        scope: tokens?.scope,
        expiresAt: tokens?.expiresAt,
        isRenewed: tokens?.refreshToken !== undefined || grant === 'client_credentials',
      }
      line(visibleJson(JSON.stringify({ server: server.href, caller, signIn })))
      return 0
    }
    line(describe(caller))
    const { describeSignIn } = await import('../sign-in/describe.ts')
    for (const [name, value] of found ? describeSignIn(found) : [])
      line(`  ${name.padEnd(6)}  ${value}`)
    return 0
  })
}

interface Caller {
  principal: string | null
  scopes: string[]
  /** The name that people know the user by. */
  name?: string
  /** Groups that the gateway read; only if its policy names groups. */
  groups?: string[]
}

/** @returns `undefined` at a server that is not a gateway of ftl. @throws {CommandFailure} */
async function callerAt(
  address: URL,
  request: typeof fetch,
  headers: Record<string, string>,
): Promise<Caller | undefined> {
  const signal = AbortSignal.timeout(15_000)
  const response = await request(address, { headers, redirect: 'manual', signal }).catch(
    unreachable,
  )
  if (response.status === 401) {
    const { challengeOf, refusedToken } = await import('ftl-client/auth')
    throw new CommandFailure(refusedToken(address.host, await challengeOf(response)))
  }
  if (response.status === 403) {
    const reason = refusalReason((await response.text()).slice(0, 100_000)) ?? 'it gives no reason'
    throw new CommandFailure(`${address.host} refuses the request: ${reason}`)
  }
  const text = response.status === 200 ? (await response.text()).slice(0, 100_000) : ''
  try {
    const { principal, scopes, name, groups } = JSON.parse(text) as Partial<Caller>
    const isCaller = principal === null || typeof principal === 'string'
    if (isCaller && Array.isArray(scopes)) {
      return {
        principal,
        scopes: scopes.map(String),
        ...(typeof name === 'string' && { name }),
        ...(Array.isArray(groups) && { groups: groups.map(String) }),
      }
    }
  } catch {
    // Another server has another page here.
  }
  return undefined

  function unreachable(error: unknown): never {
    if (error instanceof TypeError || signal.aborted) {
      throw new CommandFailure(`${address.host} cannot be reached`)
    }
    throw error
  }
}

/** The message of a JSON answer, in the form of JSON-RPC and of plain HTTP. */
function refusalReason(text: string): string | undefined {
  const message = memberOf(memberOf(jsonOf(text), 'error'), 'message')
  return isString(message) && message !== '' ? message.slice(0, 500) : undefined
}

function describe(caller: Caller | undefined): string {
  if (!caller) return 'This server does not report who you are.'
  if (caller.principal === null)
    return 'The server does not authenticate anyone: you are anonymous.'
  const scopes = caller.scopes.length === 0 ? 'no scopes' : `scopes ${caller.scopes.join(' ')}`
  const { name, groups, principal } = caller
  const who = name === undefined ? principal : `${name} (${principal})`
  const inGroups =
    groups === undefined ? '' : ` Your groups: ${groups.length === 0 ? 'none' : groups.join(', ')}.`
  return `You are ${visible(who)}, with ${visible(scopes)}.${visible(inGroups)}`
}
