/** An app in place of a result. Its script, with the official host side, is loaded with the first one. */
import type { ComponentChildren } from 'preact'
import { useLoaded } from '../frame/loaded.ts'
import { useKept } from '../kept-state.ts'
import { quietZod } from '../net/quiet-zod.ts'
import type { Tool } from '../net/tools.ts'
import type { AppViewProps } from './app-view.tsx'

const load = async () => {
  quietZod()
  return (await import('./app-view.tsx')).AppView
}

interface AppOrTextProps extends Omit<AppViewProps, 'tool' | 'onText'> {
  tool: Tool | undefined
  /** Where the choice is kept. */
  keep: string
  /** Shown first. @default 'app' */
  first?: 'app' | 'text'
  /** The page's own view of the result. */
  children: ComponentChildren
}

export function AppOrText({ tool, call, keep, first = 'app', children }: AppOrTextProps) {
  const [shows, setShows] = useKept<'app' | 'text'>(keep, () => first)
  if (tool?.app === undefined) return <>{children}</>
  if (shows === 'app')
    return <Loaded tool={tool} call={call} onText={() => setShows(() => 'text')} />
  return (
    <>
      <p class="actions">
        <button type="button" class="small" onClick={() => setShows(() => 'app')}>
          Show as app
        </button>
      </p>
      {children}
    </>
  )
}

function Loaded(props: AppViewProps) {
  const { part: View, failures, retry } = useLoaded(load)
  if (View) return <View {...props} />
  if (failures === 0) return <p class="faint">Loading the app</p>
  return (
    <div class="actions" role="alert">
      <span>The part of the page that shows apps could not be loaded.</span>
      <button type="button" class="small" onClick={retry}>
        Try again
      </button>
      <button type="button" class="small" onClick={props.onText}>
        Show as text
      </button>
    </div>
  )
}
