/** One message: what was said, what is going on, and what came of it. */
import type { ChatEnding } from 'ftl-client/chat'
import { useLoaded } from '../frame/loaded.ts'
import { atAddress } from '../net/result.ts'
import { ShownView } from '../result-view.tsx'
import { changeData, currentChat } from './tab-conversations.ts'
import { errorOf, jobsOf, type Message } from './message.ts'
import { memo } from '../memo.ts'
import { LoadedMarkdown } from '../markdown/loaded-markdown.tsx'
import { DirectResult, StepApps } from './answer-apps.tsx'
import { AnswerActions } from './answer-actions.tsx'
import { Question } from './question.tsx'
import { callAgain } from './slash.ts'
import { StepsLine } from './steps-line.tsx'
import { type Part, partsOf } from './thoughts.ts'

export interface MessageViewProps {
  message: Message
  /** The current status line of the chat. */
  status: string | undefined
  /** It is the last one of the conversation, and no answer arrives. */
  isLast: boolean
  /** Sends other words instead of this message and all that follow. */
  onResend: (id: string, text: string) => void
}

/** Drawn again only when it changes: a conversation is long. */
export const MessageView = memo(({ message, status, isLast, onResend }: MessageViewProps) => {
  const { id, role, content, state, ending, artifacts, data = {} } = message
  const { call, result, work } = data
  if (role === 'user') return <Question {...{ message, onResend }} />
  const jobs = jobsOf(message)
  const error = errorOf(message)
  const isOpen = state === 'streaming'
  const addJobCard = (job: string) =>
    changeData(currentChat(), id, ({ jobs: shown = [] }) => ({ jobs: [...shown, job] }))
  return (
    <article class="message from-model" aria-label="Answer" aria-busy={isOpen}>
      {partsOf(content).map((part, index) =>
        part.kind === 'answer' ? (
          <LoadedMarkdown key={index} text={part.text} isGrowing={isOpen} />
        ) : (
          <Thought key={index} part={part} isStreaming={isOpen} />
        ),
      )}
      {ending !== undefined && <p class="ending">{ENDINGS[ending]}</p>}
      {jobs.length > 0 && <Cards jobs={jobs} onVaried={addJobCard} />}
      {artifacts.map(
        ({ url, title, mimeType, jobId }) =>
          jobId === undefined && <ShownView key={url} item={atAddress(url, title, mimeType)} />,
      )}
      {result !== undefined && <DirectResult {...{ id, call, result }} />}
      {!isOpen && work && jobs.length === 0 && <StepApps id={id} steps={work.steps} />}
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
      {!isOpen && work && <StepsLine work={work} />}
      {error !== undefined && (
        <div class={state === 'cancelled' ? 'faint' : 'problem'} role="alert">
          {error}{' '}
          {call && (
            <button type="button" class="small" onClick={() => void callAgain(id)}>
              Try again
            </button>
          )}
        </div>
      )}
      {isLast && !isOpen && <AnswerActions message={message} />}
    </article>
  )
})

const loadCard = async () => (await import('../jobs/job-card.tsx')).JobCard

function Cards({ jobs, onVaried }: { jobs: readonly string[]; onVaried: (job: string) => void }) {
  const { part: JobCard } = useLoaded(loadCard)
  return (
    <div class="cards">
      {JobCard && jobs.map((job) => <JobCard key={job} id={job} onVaried={onVaried} />)}
    </div>
  )
}

const ENDINGS: Record<ChatEnding, string> = {
  length: 'The answer is cut off here: the model reached its limit of length.',
  refusal: 'The model refused to do this.',
  filter: 'The model’s server withheld the rest of the answer.',
}

function Thought({ part, isStreaming }: { part: Part; isStreaming: boolean }) {
  return (
    <details class="thought">
      <summary>{part.isOpen && isStreaming ? 'Thinking…' : 'Thoughts of the model'}</summary>
      <LoadedMarkdown text={part.text} />
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
