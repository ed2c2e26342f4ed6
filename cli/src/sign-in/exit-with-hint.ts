import { ClientError } from 'ftl-client'
import { reportWithHint } from '../commands/servers.ts'

/** Runs a command; its failure is printed without a stack. Sets the exit code. */
export async function reported(work: () => Promise<number>): Promise<void> {
  try {
    process.exitCode = await work()
  } catch (error) {
    if (!(error instanceof ClientError)) throw error
    process.exitCode = reportWithHint(error)
  }
}
