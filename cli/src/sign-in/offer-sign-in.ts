/** What a command does when a server requires sign-in. */
import { AuthenticationError, ClientError } from 'ftl-client'
import { note, put, terminalAt, withQuestions } from '../terminal/terminal.ts'
import { visible } from '../terminal/visible-text.ts'

/** What to type, where no person can be asked. */
export function signInHint({ signIn }: AuthenticationError): string | undefined {
  if (signIn === undefined) return undefined
  const { server, challenge } = signIn
  const scope = challenge.error === 'insufficient_scope' ? scopeOption(challenge.scope) : ''
  return (
    `Run "npx ftl login ${visible(server)}${scope}", ` +
    'or give a token or API key with --token or FTL_TOKEN.'
  )
}

const scopeOption = (scope: string | undefined) =>
  scope === undefined ? '' : ` --scope '${visible(scope).replaceAll("'", '')}'`

/**
 * Asks the user to sign in now.
 *
 * @returns whether the user is signed in; `false` without a terminal.
 */
export async function offerSignIn({ signIn }: AuthenticationError): Promise<boolean> {
  if (signIn === undefined || !terminalAt('stderr')) return false
  const { server, challenge } = signIn
  if (!(await agrees(`Sign in at ${visible(new URL(server).host)} now? [Y/n] `))) return false
  const { commandClient } = await import('./client.ts')
  const { signInAtTerminal } = await import('./at-terminal.ts')
  try {
    const client = await commandClient()
    await signInAtTerminal(server, { client, challenge, browser: true })
    note('Signed in.')
    return true
  } catch (error) {
    if (!(error instanceof ClientError)) throw error
    note(`ftl: ${error.message}`)
    return false
  }
}

async function agrees(question: string): Promise<boolean> {
  const stop = new AbortController()
  // Ctrl-C and Ctrl-D decline.
  const decline = () => stop.abort()
  const options = { signal: stop.signal, onInterrupt: decline, onEnd: decline }
  try {
    const answer = await withQuestions('stderr', options, (ask) => ask(question))
    return /^(?:y|yes)?$/i.test(answer.trim())
  } catch (error) {
    if (!stop.signal.aborted) throw error
    put('\n', 'stderr')
    return false
  }
}
