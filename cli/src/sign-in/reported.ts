import { AuthenticationError, ClientError } from 'ftl-client'
import { reportFailure } from '../commands/servers.ts'
import { signInHint } from './offer.ts'

/** Runs a command; its failure is printed without a stack. Sets the exit code. */
export async function reported(work: () => Promise<number>): Promise<void> {
  try {
    process.exitCode = await work()
  } catch (error) {
    if (!(error instanceof ClientError)) throw error
    process.exitCode = reportFailure(error)
    const hint = error instanceof AuthenticationError ? signInHint(error) : undefined
    if (hint !== undefined) console.error(hint)
  }
}
