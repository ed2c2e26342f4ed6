/** Decides about a call that a person must approve: the user at the terminal, or `--yes`. */
import type { ApprovalRequest, Approve } from 'ftl-client'
import { terminalAt } from '../terminal/terminal.ts'
import { visible, visibleLines } from '../terminal/visible-text.ts'
import { askUser } from './ask-user.ts'

/** Characters of the arguments that are shown. */
const MAX_SHOWN = 8000

/**
 * @param isYes the user approves without being asked.
 * @returns `undefined` without a terminal and without `--yes`.
 */
export function approver(isYes: boolean): Approve | undefined {
  if (isYes) return () => true
  const terminal = terminalAt('stderr')
  if (!terminal) return undefined
  return async (request) => {
    const { action } = await askUser({ message: questionAbout(request) }, terminal)
    return action === 'accept'
  }
}

/** In the words of the gateway's own question. */
function questionAbout({ tool, component, arguments: args }: ApprovalRequest): string {
  const text = visibleLines(JSON.stringify(args, undefined, 2))
  const more = text.length - MAX_SHOWN
  return [
    'Approve this call?',
    `Tool: ${visible(tool)}`,
    ...(component === undefined ? [] : [`Component: ${visible(component)}`]),
    `Arguments: ${text.slice(0, MAX_SHOWN)}`,
    ...(more > 0 ? [`… and ${more} characters that are not shown`] : []),
  ].join('\n')
}

/** For a call that was refused because no person could be asked. */
export const HOW_TO_APPROVE =
  'A person must approve this call. Run the command in a terminal to be asked, or add --yes to approve it.'
