import { CommandFailure } from '../terminal/failure.ts'
import { servedHere } from '../running/find.ts'
import { addressProblem, addressWithPath } from '../commands/server-address.ts'
import { visible } from '../terminal/visible-text.ts'

/** The server of a command, else the application of this folder. @throws {CommandFailure} */
export async function chosenServer(given: string | undefined): Promise<string> {
  const url = given ?? (await servedHere())
  const problem = addressProblem(url)
  if (problem !== undefined) throw new CommandFailure(visible(problem.replace(/^--url /, '')))
  // Tokens are for one address: a gateway is not its origin.
  const meant = addressWithPath(url)
  if (meant !== undefined && given !== undefined) {
    throw new CommandFailure(`${visible(url)} has no path; did you mean ${visible(meant)}?`)
  }
  return url
}
