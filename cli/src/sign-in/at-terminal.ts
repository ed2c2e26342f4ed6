/** Signs in with a browser, from a terminal. */
import { createInterface } from 'node:readline/promises'
import type { Challenge } from 'ftl-client'
import { type ClientSettings, type SignIn, signIn, TokenStore } from 'ftl-client/auth'
import { hasDisplay, openBrowser } from './browser.ts'

export interface TerminalSignIn {
  client: ClientSettings
  challenge?: Challenge
  scope?: string
  redirectPort?: number
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
  const { client, challenge, scope, redirectPort, timeoutSeconds, browser } = options
  const opens = browser && hasDisplay()
  return signIn(server, {
    store: new TokenStore(),
    client,
    ...(challenge && { challenge }),
    ...(scope !== undefined && { scope }),
    ...(redirectPort !== undefined && { redirectPort }),
    ...(timeoutSeconds !== undefined && { patienceMs: timeoutSeconds * 1000 }),
    onAddress(address) {
      const { host } = address
      console.error(
        opens
          ? `Your browser opens ${host}. If it does not, open:`
          : `To sign in at ${host}, open:`,
      )
      console.error(`\n  ${address.href}\n`)
      if (opens) openBrowser(address)
      if (!opens && process.stdin.isTTY) {
        console.error(
          'If the browser is on another machine, it ends at an address that begins with http://127.0.0.1',
        )
        console.error('and cannot show it. Copy that address and paste it here.')
      }
    },
    ...(!opens && process.stdin.isTTY && { pasted: pastedAddress }),
  })
}

async function pastedAddress(signal: AbortSignal): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  // In raw mode Ctrl-C is a character, not a signal.
  terminal.once('SIGINT', () => process.kill(process.pid, 'SIGINT'))
  try {
    for (;;) {
      const line = await terminal.question('Waiting for the browser, or for the address: ', {
        signal,
      })
      if (URL.parse(line.trim())?.searchParams.has('state') === true) return line
      if (line.trim() !== '') {
        console.error('That is not the address: it begins with http://127.0.0.1 and has "state=".')
      }
    }
  } finally {
    terminal.close()
    process.stderr.write('\n')
  }
}
