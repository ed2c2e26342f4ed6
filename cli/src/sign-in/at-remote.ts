/** Signs the user in and out at a server behind a gateway, with the tools `sign_in` and `sign_out` of the gateway. */
import { isObject, isString, memberOf } from 'ftl-contract'
import { CommandFailure } from '../terminal/failure.ts'
import { line, paint } from '../terminal/ui.ts'
import { note, withQuestions } from '../terminal/terminal.ts'
import { visible } from '../terminal/visible-text.ts'
import { besideMcp } from '../commands/server-address.ts'
import { tokenHeader } from '../commands/token-option.ts'
import { hasDisplay, openBrowser } from './browser.ts'
import { chosenServer } from './chosen-server.ts'
import { commandClient } from './client.ts'
import { gatewayAnswer } from './gateway-answer.ts'

export interface RemoteFlags {
  /** Name of the server in `remote_servers`. */
  server: string
  /** Of the gateway. @default that of `ftl login` */
  token?: string
}

export interface RemoteSignIn extends RemoteFlags {
  /** The code that the page has shown. @default asked for at the terminal */
  code?: string
  /** Whether to open a browser. */
  browser: boolean
}

/** @returns the exit code. @throws {CommandFailure} */
export async function signInAtRemote(
  gateway: string | undefined,
  { browser, code, ...flags }: RemoteSignIn,
): Promise<number> {
  const call = await callerOf(gateway, flags)
  const { server } = flags
  if (code !== undefined) return confirmed(await call('sign_in', { server, code }))
  const { url } = structured(await call('sign_in', { server }))
  if (!isString(url) || !URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    throw new CommandFailure('the gateway gave no link to sign in with')
  }
  const opens = browser && hasDisplay()
  note(opens ? 'Your browser opens a page. If it does not, open:' : 'To sign in, open:')
  note(`\n  ${visible(url)}\n`)
  if (opens) openBrowser(new URL(url))
  if (!process.stdin.isTTY) {
    note(`The page shows a code: ftl login --server ${visible(server)} --code CODE`)
    return 0
  }
  const onInterrupt = () => void process.kill(process.pid, 'SIGINT')
  const entered = await withQuestions('stderr', { onInterrupt }, (ask) =>
    ask('Code that the page shows: '),
  )
  return confirmed(await call('sign_in', { server, code: entered.trim() }))
}

/** @returns the exit code. @throws {CommandFailure} */
export async function signOutAtRemote(
  gateway: string | undefined,
  flags: RemoteFlags,
): Promise<number> {
  const call = await callerOf(gateway, flags)
  const result = await call('sign_out', { server: flags.server })
  line(visible(textOf(result)))
  return structured(result)['revocation'] === 'failed' ? 4 : 0
}

function confirmed(result: unknown): number {
  line(`${paint('green', '✓')} ${visible(textOf(result))}`)
  return 0
}

const TIMEOUT_MS = 60_000

/** Calls a tool of the component `remote` as the user of this command. */
async function callerOf(gateway: string | undefined, { token }: RemoteFlags) {
  const { authorizedFetch, serverAddress, StoredTokens, TokenStore } =
    await import('ftl-client/auth')
  const server = serverAddress(await chosenServer(gateway))
  const headers = { 'content-type': 'application/json', ...tokenHeader(token) }
  const request =
    'authorization' in headers
      ? fetch
      : authorizedFetch(
          server,
          new StoredTokens(server, { store: new TokenStore(), client: await commandClient() }),
        )
  const address = besideMcp(server, 'invoke')
  return async (tool: string, params: object): Promise<unknown> => {
    const init = {
      method: 'POST',
      headers,
      body: JSON.stringify({ tool, params }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    }
    const meaning = (status: number) =>
      status === 404
        ? `${address.host} has no server where you sign in: none in its remote_servers has "auth": "consent", ` +
          `or its policy does not allow you the tool ${tool}`
        : undefined
    const { status, answer } = await gatewayAnswer(address, init, { request, meaning })
    if (!isObject(answer) || status >= 400) {
      throw new CommandFailure(`${address.host} answered with status ${status}`)
    }
    if (answer['isError'] === true) throw new CommandFailure(visible(textOf(answer)))
    return answer
  }
}

function structured(result: unknown): Record<string, unknown> {
  const value = memberOf(result, 'structuredContent')
  return isObject(value) ? value : {}
}

function textOf(result: unknown): string {
  const content = memberOf(result, 'content')
  const texts = Array.isArray(content) ? content.map((each) => memberOf(each, 'text')) : []
  return texts.filter(isString).join('\n')
}
