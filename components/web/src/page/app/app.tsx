/** The frame around the views: the rail, settings, and the state of the network. */
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { LoadedApproval } from './approval/loaded-approval.tsx'
import { DropZone } from './chat/drop-zone.tsx'
import { Part } from './frame/loaded-dialog.tsx'
import { Rail } from './frame/rail.tsx'
import { ViewHost } from './frame/view-host.tsx'
import { online } from './net/online.ts'
import { ReachBanner } from './reach-banner.tsx'
import { route } from './route.ts'
import { LoadedSignIn } from './sign-in/loaded-sign-in.tsx'
import { useStore } from './store.ts'
import { viewNamed } from './views.ts'

const loadPalette = async () => (await import('./palette/palette.tsx')).Palette
const loadSettings = async () => (await import('./views/settings-drawer.tsx')).SettingsDrawer

interface Opened {
  part: 'settings' | 'palette'
  number: number
}

/** How far each view is scrolled. */
const places = new Map<string, number>()

export function App() {
  const current = useStore(route)
  const entry = viewNamed(current.view)
  const { name, title, width = 'page' } = entry
  const isOnline = useStore(online)
  const [opened, setOpened] = useState<Opened | undefined>()
  const open = (part: Opened['part']) =>
    setOpened((before) => ({ part, number: (before?.number ?? 0) + 1 }))
  // A dialog tells late that it has closed: the next one may be open by then.
  const close = (number: number) => setOpened((now) => (now?.number === number ? undefined : now))
  const main = useRef<HTMLElement>(null)
  const isFirst = useRef(true)
  // Move the focus to a view that the user has chosen, but not when the page is opened.
  const shown = () => {
    if (!isFirst.current) {
      main.current?.querySelector<HTMLElement>('h1')?.focus({ preventScroll: true })
      scrollTo(0, places.get(name) ?? (name === 'chat' ? document.documentElement.scrollHeight : 0))
    }
    isFirst.current = false
  }
  useEffect(() => {
    document.title = `${title} · ftl`
  }, [title])
  // With the first picture of the page: what is seen takes its keys.
  useLayoutEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return
      if (event.altKey || event.shiftKey) return
      event.preventDefault()
      // A dialog that asks something is answered first.
      if (!document.querySelector('dialog[open]')) open('palette')
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [])
  // At once: the browser scrolls when the next view is shorter.
  useLayoutEffect(() => {
    const note = () => places.set(name, scrollY)
    addEventListener('scroll', note, { passive: true })
    return () => removeEventListener('scroll', note)
  }, [name])
  return (
    <div class="page">
      <a class="skip" href="#content" onClick={(event) => skip(event, main.current)}>
        Skip to the content
      </a>
      <Rail current={entry} onSettings={() => open('settings')} onFind={() => open('palette')} />
      <main id="content" ref={main} tabIndex={-1} data-view={name} data-width={width}>
        {!isOnline && (
          <p class="offline" role="alert">
            There is no network. Jobs continue; this page reconnects as soon as there is one.
          </p>
        )}
        <ReachBanner />
        <LoadedSignIn />
        <ViewHost key={name} entry={entry} route={current} onShown={shown} />
      </main>
      {opened && (
        <Part
          key={opened.number}
          load={opened.part === 'palette' ? loadPalette : loadSettings}
          onClose={() => close(opened.number)}
        />
      )}
      <LoadedApproval />
      <DropZone />
    </div>
  )
}

// The fragment is the view, so the link must not change it.
function skip(event: Event, main: HTMLElement | null): void {
  event.preventDefault()
  main?.focus()
}
