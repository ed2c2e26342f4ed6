/** Shows a view, and until its script is there, that it is being loaded. */
import { useEffect, useState } from 'preact/hooks'
import type { Route } from '../route.ts'
import type { ViewEntry } from '../views.ts'
import { useLoaded } from './loaded.ts'

/** A script that is in the browser's cache is there sooner: then nothing flashes. */
const QUIET_MS = 150

interface ViewHostProps {
  entry: ViewEntry
  route: Route
  /** After the view is in the document. */
  onShown: () => void
}

export function ViewHost({ entry, route, onShown }: ViewHostProps) {
  const { part, failures, retry } = useLoaded(entry.load)
  const View = entry.view ?? part
  const isShown = View !== undefined
  useEffect(() => {
    if (isShown) onShown()
  }, [isShown])
  if (View) return <View {...route} />
  if (failures > 0) return <NotLoaded title={entry.title} failures={failures} onRetry={retry} />
  return <Loading title={entry.title} />
}

function Loading({ title }: { title: string }) {
  const [isLate, setLate] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), QUIET_MS)
    return () => clearTimeout(timer)
  }, [])
  return (
    <div class="loading" data-late={isLate}>
      <h1 tabIndex={-1}>{title}</h1>
      <p class="unseen" role="status">
        {isLate && `Loading ${title}`}
      </p>
      <span class="bone" />
      <span class="bone" />
    </div>
  )
}

interface NotLoadedProps {
  title: string
  failures: number
  onRetry: () => void
}

function NotLoaded({ title, failures, onRetry }: NotLoadedProps) {
  return (
    <section class="notice not-loaded" role="alert">
      <h1 tabIndex={-1}>{title}</h1>
      <p>This part of the page could not be loaded. Check the connection and try again.</p>
      <div class="actions">
        <button type="button" class="primary" onClick={onRetry}>
          Try again
        </button>
        {/* A browser may keep a failure, and a new version of the page has its parts elsewhere. */}
        {failures > 1 && (
          <button type="button" onClick={() => location.reload()}>
            Reload the page
          </button>
        )}
      </div>
    </section>
  )
}
