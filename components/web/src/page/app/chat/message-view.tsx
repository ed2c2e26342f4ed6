/** One message: what was said, what is going on, and what came of it. */
import { Icon } from '../icons.tsx'
import { JobCard } from '../jobs/job-card.tsx'
import { atAddress } from '../net/result.ts'
import { ResultView, ShownView } from '../result-view.tsx'
import { changeMessage, type Message } from './conversation.ts'
import { Markdown } from './markdown.tsx'
import { callAgain } from './slash.ts'

export function MessageView({ message }: { message: Message }) {
  const {
    id,
    role,
    text,
    status,
    isOpen,
    jobs = [],
    artifacts = [],
    result,
    error,
    attached,
  } = message
  if (role === 'user') {
    return (
      <article class="message from-user" aria-label="You">
        <p class="said">{text}</p>
        {attached && (
          <p class="about">
            <Icon name="attach" /> {attached.join(', ')}
          </p>
        )}
      </article>
    )
  }
  const addJobCard = (job: string) =>
    changeMessage(id, ({ jobs: shown = [] }) => ({ jobs: [...shown, job] }))
  return (
    <article class="message from-model" aria-label="Answer" aria-busy={isOpen === true}>
      {text !== '' && <Markdown text={text} />}
      {jobs.length > 0 && (
        <div class="cards">
          {jobs.map((job) => (
            <JobCard key={job} id={job} onVaried={addJobCard} />
          ))}
        </div>
      )}
      {artifacts.map(({ url, title, mimeType }) => (
        <ShownView key={url} item={atAddress(url, title, mimeType)} />
      ))}
      {result !== undefined && <ResultView result={result} />}
      {isOpen && (
        <p class="status">
          <span class="dots" aria-hidden="true">
            <i />
            <i />
            <i />
          </span>
          <span data-part="status">{status ?? 'Working'}</span>
        </p>
      )}
      {error !== undefined && (
        <div class="problem" role="alert">
          {error}{' '}
          {message.call && (
            <button type="button" class="small" onClick={() => void callAgain(id)}>
              Try again
            </button>
          )}
        </div>
      )}
    </article>
  )
}
