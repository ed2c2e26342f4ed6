/** The user at the terminal as the one who answers a server's questions. */
import type { ManagerOptions } from 'ftl-client'
import { terminalAt } from '../terminal/terminal.ts'
import { askUser } from './ask-user.ts'

/**
 * The options of a manager whose servers may ask the user. Without a terminal the options are empty: a server then learns
 * that this client cannot be asked, and a tool can do without.
 */
export function terminalAnswers(): ManagerOptions {
  const terminal = terminalAt('stderr')
  if (!terminal) return {}
  // A server may ask several questions at once, and a user answers one at a time.
  let before: Promise<unknown> = Promise.resolve()
  return {
    answers: {
      elicitation: (form) => {
        const answer = before.then(() => askUser(form, terminal))
        before = answer.catch(() => undefined)
        return answer
      },
    },
  }
}
