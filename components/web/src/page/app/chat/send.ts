/** Sends a message to the model, with the user's settings. */
import { chosenCall } from '../create/chosen.ts'
import { noteJob } from '../jobs/known-jobs.ts'
import { reach, tryNow } from '../net/gateway-reachable.ts'
import type { Attachment } from './attachments.ts'
import { changeData, currentChat } from './tab-conversations.ts'
import { errorOf } from './message.ts'
import { settings } from './settings.ts'
import { startClock, workOf } from './steps.ts'
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
  startClock(chat)
  const response = await chat.send(
    message,
    {
      history,
      blockedServers: settings.get().blocked,
      ...toolArguments(),
      attachments: attachments.map(({ id, size, ...rest }) => rest),
    },
    { attached: attachments.map(({ name }) => name) },
  )
  for (const call of response?.toolCalls ?? []) noteJob(call)
  const ended = chat.getState().messages.at(-1)
  if (ended && ended.calls.length > 0) {
    const work = workOf(chat, response?.toolCalls)
    changeData(chat, ended.id, () => ({ work }))
  }
  const [question, answer] = chat.getState().messages.slice(-2)
  if (!question || answer?.error?.code !== 'unreachable') return true
  chat.remove(question.id, answer.id)
  return false
}

/** What is chosen under the composer holds for the model's calls, too. */
function toolArguments(): { toolArguments?: Record<string, Record<string, unknown>> } {
  const { tool, args } = chosenCall() ?? {}
  return tool && args && Object.keys(args).length > 0
    ? { toolArguments: { [tool.name]: args } }
    : {}
}
