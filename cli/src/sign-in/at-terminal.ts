/** Signs in with a browser, from a terminal. */
import type { Challenge } from 'ftl-client'
import { type ClientSettings, type SignIn, signIn, TokenStore } from 'ftl-client/auth'
import { note, put, withQuestions } from '../terminal/terminal.ts'
import { hasDisplay, openBrowser } from './browser.ts'

export interface TerminalSignIn {
  client: ClientSettings
  challenge?: Challenge
  scope?: string
  redirectPort?: number
  /** Further parameters of the authorization request. */
  parameters?: Readonly<Record<string, string>>
  timeoutSeconds?: number
  /** Whether to open a browser. */
  browser: boolean
}

/**
 * Prints the address, opens it where the user would see it, and waits for the answer. Ctrl-C ends the process.
 *
 * @throws {AuthenticationError}
 */
export async function signInAtTerminal(
  server: string | URL,
  options: TerminalSignIn,
): Promise<SignIn> {
  const { client, challenge, scope, redirectPort, parameters, timeoutSeconds, browser } = options
  const opens = browser && hasDisplay()
  return signIn(server, {
    store: new TokenStore(),
    client,
    ...(challenge && { challenge }),
    ...(scope !== undefined && { scope }),
    ...(redirectPort !== undefined && { redirectPort }),
    ...(parameters && { parameters }),
    ...(timeoutSeconds !== undefined && { patienceMs: timeoutSeconds * 1000 }),
    onAddress(address) {
      const { host } = address
      note(
        opens
          ? `Your browser opens ${host}. If it does not, open:`
          : `To sign in at ${host}, open:`,
      )
      note(`\n  ${address.href}\n`)
      if (opens) openBrowser(address)
      if (!opens && process.stdin.isTTY) {
        note(
          'If the browser is on another machine, it ends at an address that begins with http://127.0.0.1',
        )
        note('and cannot show it. Copy that address and paste it here.')
      }
    },
    ...(!opens && process.stdin.isTTY && { pasted: pastedAddress }),
  })
}

async function pastedAddress(signal: AbortSignal): Promise<string> {
  // In raw mode Ctrl-C is a character, not a signal.
  const onInterrupt = () => void process.kill(process.pid, 'SIGINT')
  try {
    return await withQuestions('stderr', { signal, onInterrupt }, async (ask) => {
      for (;;) {
        const line = await ask('Waiting for the browser, or for the address: ')
        if (URL.parse(line.trim())?.searchParams.has('state') === true) return line
        if (line.trim() !== '') {
          note('That is not the address: it begins with http://127.0.0.1 and has "state=".')
        }
      }
    })
  } finally {
    put('\n', 'stderr')
  }
}
