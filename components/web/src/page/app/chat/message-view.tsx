/** One message: what was said, what is going on, and what came of it. */
import type { ChatEnding } from 'ftl-client/chat'
import { Icon } from '../icons.tsx'
import { JobCard } from '../jobs/job-card.tsx'
import { atAddress } from '../net/result.ts'
import { ResultView, ShownView } from '../result-view.tsx'
import { changeData, currentChat } from './conversation.ts'
import { errorOf, jobsOf, type Message } from './message.ts'
import { memo } from '../memo.ts'
import { Markdown } from '../markdown/markdown.tsx'
import { callAgain } from './slash.ts'
import { type Part, partsOf } from './thoughts.ts'

export interface MessageViewProps {
  message: Message
  /** The current status line of the chat. */
  status: string | undefined
}

/** Drawn again only when it changes: a conversation is long. */
export const MessageView = memo(({ message, status }: MessageViewProps) => {
  const { id, role, content, state, ending, artifacts, data = {} } = message
  const { attached = [], call, result } = data
  if (role === 'user') {
    return (
      <article class="message from-user" aria-label="You">
        <p class="said">{content}</p>
        {attached.length > 0 && (
          <p class="about">
            <Icon name="attach" /> {attached.join(', ')}
          </p>
        )}
      </article>
    )
  }
  const jobs = jobsOf(message)
  const error = errorOf(message)
  const isOpen = state === 'streaming'
  const addJobCard = (job: string) =>
    changeData(currentChat(), id, ({ jobs: shown = [] }) => ({ jobs: [...shown, job] }))
  return (
    <article class="message from-model" aria-label="Answer" aria-busy={isOpen}>
      {partsOf(content).map((part, index) =>
        part.kind === 'answer' ? (
          <Markdown key={index} text={part.text} isGrowing={isOpen} />
        ) : (
          <Thought key={index} part={part} isStreaming={isOpen} />
        ),
      )}
      {ending !== undefined && <p class="ending">{ENDINGS[ending]}</p>}
      {jobs.length > 0 && (
        <div class="cards">
          {jobs.map((job) => (
            <JobCard key={job} id={job} onVaried={addJobCard} />
          ))}
        </div>
      )}
      {artifacts.map(
        ({ url, title, mimeType, jobId }) =>
          jobId === undefined && <ShownView key={url} item={atAddress(url, title, mimeType)} />,
      )}
      {result !== undefined && <ResultView result={result} />}
      {isOpen && (
        <p class="status">
          <span class="dots" aria-hidden="true">
            <i />
            <i />
            <i />
          </span>
          <span data-part="status">{activityOf(message, status)}</span>
        </p>
      )}
      {error !== undefined && (
        <div class="problem" role="alert">
          {error}{' '}
          {call && (
            <button type="button" class="small" onClick={() => void callAgain(id)}>
              Try again
            </button>
          )}
        </div>
      )}
    </article>
  )
})

const ENDINGS: Record<ChatEnding, string> = {
  length: 'The answer is cut off here: the model reached its limit of length. Ask it to continue.',
  refusal: 'The model refused to do this.',
  filter: 'The model’s server withheld the rest of the answer.',
}

function Thought({ part, isStreaming }: { part: Part; isStreaming: boolean }) {
  return (
    <details class="thought">
      <summary>{part.isOpen && isStreaming ? 'Thinking…' : 'Thoughts of the model'}</summary>
      <Markdown text={part.text} />
    </details>
  )
}

/** What is going on while the message is incomplete. */
export function activityOf({ data }: Message, status: string | undefined): string {
  return data?.call ? `Calling ${data.call.tool}` : (status ?? 'Asking')
}

/** What a screen reader says at the end of an answer. Empty for an error, which is an alert of its own. */
export function endOf(message: Message): string {
  const isComplete = message.state === 'done' && errorOf(message) === undefined
  return isComplete ? 'The answer is complete.' : ''
}
