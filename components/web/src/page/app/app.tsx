/** The frame around the views: navigation, settings, and the state of the network. */
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { ApprovalDialog } from './approval/approval-dialog.tsx'
import { ChatView } from './chat/chat-view.tsx'
import { DropZone } from './chat/drop-zone.tsx'
import { Icon } from './icons.tsx'
import { isOver, jobs } from './jobs/known-jobs.ts'
import { online } from './net/online.ts'
import { ReachBanner } from './reach-banner.tsx'
import { session } from './sign-in/session.ts'
import { SignInCard } from './sign-in/sign-in-card.tsx'
import { route, type View, VIEWS } from './route.ts'
import { useStore } from './store.ts'
import { Gallery } from './views/gallery.tsx'
import { Jobs } from './views/jobs.tsx'
import { SettingsDrawer } from './views/settings-drawer.tsx'
import { Tools } from './views/tools.tsx'

const TITLES: Record<View, string> = {
  chat: 'Chat',
  gallery: 'Gallery',
  tools: 'Tools',
  jobs: 'Jobs',
}

/** How far each view is scrolled. */
const places = new Map<View, number>()

export function App() {
  const { view, of, args } = useStore(route)
  const isOnline = useStore(online)
  const [isOpen, setOpen] = useState(false)
  const main = useRef<HTMLElement>(null)
  const isFirst = useRef(true)
  useEffect(() => {
    document.title = `${TITLES[view]} · ftl`
    // Move the focus to a view that the user has chosen, but not when the page is opened.
    if (!isFirst.current) {
      main.current?.querySelector<HTMLElement>('h1')?.focus({ preventScroll: true })
      scrollTo(0, places.get(view) ?? (view === 'chat' ? document.documentElement.scrollHeight : 0))
    }
    isFirst.current = false
  }, [view])
  // At once: the browser scrolls when the next view is shorter.
  useLayoutEffect(() => {
    const note = () => places.set(view, scrollY)
    addEventListener('scroll', note, { passive: true })
    return () => removeEventListener('scroll', note)
  }, [view])
  return (
    <div class="page">
      <a class="skip" href="#content" onClick={(event) => skip(event, main.current)}>
        Skip to the content
      </a>
      <Navigation view={view} onSettings={() => setOpen(true)} />
      <main id="content" ref={main} tabIndex={-1} data-view={view}>
        {!isOnline && (
          <p class="offline" role="alert">
            There is no network. Jobs continue; this page reconnects as soon as there is one.
          </p>
        )}
        <ReachBanner />
        <SignInCard />
        {view === 'chat' && <ChatView />}
        {view === 'gallery' && <Gallery />}
        {view === 'tools' && <Tools of={of} args={args} />}
        {view === 'jobs' && <Jobs />}
      </main>
      {isOpen && <SettingsDrawer onClose={() => setOpen(false)} />}
      <ApprovalDialog />
      <DropZone />
    </div>
  )
}

// The fragment is the view, so the link must not change it.
function skip(event: Event, main: HTMLElement | null): void {
  event.preventDefault()
  main?.focus()
}

function Navigation({ view, onSettings }: { view: View; onSettings: () => void }) {
  const { state, name } = useStore(session)
  const running = [...useStore(jobs).values()].filter((job) => !isOver(job)).length
  return (
    <header class="side">
      <a class="brand" href="#/chat" aria-label="ftl, to the chat">
        ftl
      </a>
      <nav aria-label="Views">
        {VIEWS.map((name) => (
          <a key={name} href={`#/${name}`} aria-current={name === view ? 'page' : undefined}>
            <Icon name={name} />
            <span>{TITLES[name]}</span>
            {name === 'jobs' && running > 0 && (
              <span class="count" aria-label={`${running} running`}>
                {running}
              </span>
            )}
          </a>
        ))}
      </nav>
      {state === 'signed-in' && (
        <button
          type="button"
          class="settings account"
          aria-label={`Signed in as ${name}`}
          onClick={onSettings}
        >
          <Icon name="user" />
          <span>{name}</span>
        </button>
      )}
      <button type="button" class="settings" onClick={onSettings}>
        <Icon name="settings" />
        <span>Settings</span>
      </button>
    </header>
  )
}
