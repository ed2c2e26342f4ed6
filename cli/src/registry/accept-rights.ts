/** The question whether a component is added, once its rights have been listed. */
import { CommandFailure } from '../terminal/failure.ts'
import { terminalAt, withQuestions } from '../terminal/terminal.ts'

/** @throws {CommandFailure} without a terminal. */
export async function acceptsRights(): Promise<boolean> {
  if (!terminalAt('stdout')) {
    throw new CommandFailure(
      'there is no terminal to ask at: accept what the component may reach with --yes',
    )
  }
  const answer = await withQuestions('stdout', {}, (ask) =>
    ask('\nAdd it with these rights? [y/N] '),
  )
  return /^y(es)?$/i.test(answer.trim())
}
