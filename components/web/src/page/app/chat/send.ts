/** Sends a message to the chat, and adds the answer to the conversation line by line. */
import {
  type ChatArtifact,
  ChatFailure,
  type ChatLine,
  type ChatStatus,
  sendChat,
} from 'ftl-client/chat'
import { addJob, changeJob, jobs } from '../jobs/known-jobs.ts'
import { asRecord } from '../net/api.ts'
import type { Attachment } from './attachments.ts'
import { addMessage, changeMessage, conversation } from './conversation.ts'
import { settings } from './settings.ts'

/** Maximum number of earlier messages that are sent to the model. */
const HISTORY = 20

/** Resolves when the answer has ended. It never rejects: errors are shown in the conversation. */
export async function ask(
  message: string,
  attachments: readonly Attachment[],
  signal: AbortSignal,
): Promise<void> {
  const { id: conversationId, messages } = conversation.get()
  const history = messages
    .filter(({ text: said, error }) => said !== '' && error === undefined)
    .slice(-HISTORY)
    .map(({ role, text: content }) => ({ role, content }))
  const attached = attachments.map(({ name }) => name)
  addMessage({ role: 'user', text: message, ...(attached.length > 0 && { attached }) })
  const answer = addMessage({ role: 'assistant', text: '', isOpen: true, status: 'Asking' })
  const body = {
    message,
    history,
    conversationId,
    blockedServers: settings.get().blocked,
    ...(attachments.length > 0 && { attachments: attachments.map(({ size, ...rest }) => rest) }),
  }
  try {
    const { content, toolCalls } = await sendChat(body, {
      signal,
      onLine: (line) => hear(answer, line),
    })
    changeMessage(answer, () => ({ text: content }))
    for (const { tool, jobId, arguments: args } of toolCalls) showJob(answer, jobId, tool, args)
  } catch (failure) {
    const words = failure instanceof ChatFailure ? failure.message : 'The chat cannot be reached.'
    changeMessage(answer, () => ({ error: signal.aborted ? 'Stopped.' : words }))
  }
  changeMessage(answer, () => ({ isOpen: false, status: undefined }))
}

function hear(answer: string, line: ChatLine): void {
  if (line.type === 'content') {
    changeMessage(answer, ({ text }) => ({ text: text + line.content }))
  } else if (line.type === 'artifact') hearArtifact(answer, line.artifact)
  else if (line.type === 'status') hearStatus(answer, line)
}

function hearStatus(
  answer: string,
  { step, message, tool, jobId, progress, total }: ChatStatus,
): void {
  // Ignore the text of heartbeats.
  if (step !== 'waiting') changeMessage(answer, () => ({ status: message }))
  showJob(answer, jobId, tool ?? 'tool')
  if (jobId !== undefined && progress !== undefined) changeJob(jobId, { progress, total })
}

/** Shows a job's card. It reads the job's record, which has more detail than the chat and outlives it. */
function showJob(answer: string, id: string | undefined, tool: string, args?: unknown): void {
  if (id === undefined) return
  if (!jobs.get().has(id)) addJob({ id, tool })
  if (args !== undefined) changeJob(id, { arguments: asRecord(args) })
  changeMessage(answer, ({ jobs: shown = [] }) =>
    shown.includes(id) ? {} : { jobs: [...shown, id] },
  )
}

function hearArtifact(answer: string, artifact: ChatArtifact): void {
  const { jobId, tool, url, title, mimeType } = artifact
  if (jobId !== undefined) return showJob(answer, jobId, tool, artifact.arguments)
  changeMessage(answer, ({ artifacts = [] }) =>
    artifacts.some((known) => known.url === url)
      ? {}
      : { artifacts: [...artifacts, { url, title, mimeType }] },
  )
}
