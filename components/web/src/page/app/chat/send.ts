/** Sends a message to the model, with the user's settings. */
import { noteJob } from '../jobs/known-jobs.ts'
import { reach, tryNow } from '../net/reach.ts'
import type { Attachment } from './attachments.ts'
import { currentChat } from './conversation.ts'
import { errorOf } from './message.ts'
import { settings } from './settings.ts'
import { withoutThoughts } from './thoughts.ts'

/** Maximum number of earlier messages that are sent to the model. */
const HISTORY = 20

/**
 * Resolves when the answer has ended. It never rejects: errors are shown in the conversation.
 *
 * @returns whether the message was sent: without the gateway, the user keeps it.
 */
export async function ask(message: string, attachments: readonly Attachment[]): Promise<boolean> {
  const chat = currentChat()
  // A banner says that it cannot be reached.
  if (reach.get().isDown && !(await tryNow())) return false
  const history = chat
    .getState()
    .messages.filter((earlier) => earlier.content !== '' && errorOf(earlier) === undefined)
    .slice(-HISTORY)
    .map(({ role, content }) => ({ role, content: withoutThoughts(content) }))
    .filter(({ content }) => content !== '')
  const response = await chat.send(
    message,
    {
      history,
      blockedServers: settings.get().blocked,
      attachments: attachments.map(({ size, ...rest }) => rest),
    },
    { attached: attachments.map(({ name }) => name) },
  )
  for (const call of response?.toolCalls ?? []) noteJob(call)
  const [question, answer] = chat.getState().messages.slice(-2)
  if (!question || answer?.error?.code !== 'unreachable') return true
  chat.remove(question.id, answer.id)
  return false
}
