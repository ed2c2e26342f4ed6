/** The rail at the left, and on a phone the bars above and below: views, settings and the user. */
import { Icon } from '../icons.tsx'
import { isOver, jobs } from '../jobs/known-jobs.ts'
import { session } from '../sign-in/session.ts'
import { useStore } from '../store.ts'
import { type ViewEntry, VIEWS } from '../views.ts'
import { ThemeButton } from './theme-button.tsx'

/** A phone's bar has room for these, and for a button that shows the others. */
const ON_PHONE = 4

interface RailProps {
  current: ViewEntry
  onSettings: () => void
  /** Opens the palette. */
  onFind: () => void
}

export function Rail({ current, onSettings, onFind }: RailProps) {
  const { state, name } = useStore(session)
  const running = [...useStore(jobs).values()].filter((job) => !isOver(job)).length
  return (
    <header class="rail">
      <a class="brand" href="#/chat" aria-label="ftl, to the chat">
        ftl
      </a>
      <nav aria-label="Views">
        {VIEWS.map((entry, index) => (
          <a
            class={index < ON_PHONE ? undefined : 'beyond'}
            key={entry.name}
            href={`#/${entry.name}`}
            aria-current={entry === current ? 'page' : undefined}
          >
            <Icon name={entry.icon} />
            <span>{entry.title}</span>
            {entry.name === 'jobs' && running > 0 && (
              <span class="count" aria-label={`${running} running`}>
                {running}
              </span>
            )}
          </a>
        ))}
        {VIEWS.length > ON_PHONE && (
          <button
            type="button"
            class="rail-button rest"
            data-current={VIEWS.indexOf(current) >= ON_PHONE}
            onClick={onFind}
          >
            <Icon name="more" />
            <span>More</span>
          </button>
        )}
      </nav>
      <div class="rail-end">
        <button
          type="button"
          class="rail-button"
          aria-label="Find"
          aria-keyshortcuts="Control+K Meta+K"
          title="Go to a page, tool, conversation or job (Ctrl+K)"
          onClick={onFind}
        >
          <Icon name="search" />
          <span>Find</span>
        </button>
        <ThemeButton />
        {state === 'signed-in' && (
          <button
            type="button"
            class="rail-button account"
            aria-label={`Signed in as ${name}`}
            onClick={onSettings}
          >
            <Icon name="user" />
            <span>{name}</span>
          </button>
        )}
        <button type="button" class="rail-button" onClick={onSettings}>
          <Icon name="settings" />
          <span>Settings</span>
        </button>
      </div>
    </header>
  )
}
