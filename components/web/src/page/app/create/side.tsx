/** A column beside the conversation. Where there is no room for it, a drawer that a button opens. */
import type { FunctionComponent } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { useLoaded } from '../frame/loaded.ts'
import { Icon } from '../icons.tsx'

export interface SideContent {
  /** The user has chosen something: a drawer closes. */
  onChosen: () => void
}

interface SideProps {
  /** For the drawer. */
  title: string
  at: 'left' | 'right'
  /** Whether there is room for a column. */
  isColumn: boolean
  load: () => Promise<FunctionComponent<SideContent>>
  onClose: () => void
}

export function Side({ title, at, isColumn, load, onClose }: SideProps) {
  const { part: Content, failures, retry } = useLoaded(load)
  const content = Content ? (
    <Content onChosen={isColumn ? () => undefined : onClose} />
  ) : (
    failures > 0 && (
      <p class="problem" role="alert">
        This part of the page could not be loaded.{' '}
        <button type="button" class="small" onClick={retry}>
          Try again
        </button>
      </p>
    )
  )
  if (isColumn) {
    return (
      <aside class="side-column" data-at={at} aria-label={title}>
        {content}
      </aside>
    )
  }
  return <SideDrawer {...{ title, at, onClose }}>{content}</SideDrawer>
}

interface SideDrawerProps extends Pick<SideProps, 'title' | 'at' | 'onClose'> {
  children: preact.ComponentChildren
}

function SideDrawer({ title, at, onClose, children }: SideDrawerProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current?.showModal(), [])
  return (
    <dialog
      ref={dialog}
      class="side-drawer"
      data-at={at}
      aria-label={title}
      onClose={onClose}
      onClick={(event) => event.target === dialog.current && dialog.current?.close()}
    >
      <div class="side-drawer-inside">
        <header class="line">
          <h2 class="grow">{title}</h2>
          <button
            type="button"
            class="bare"
            aria-label={`Close ${title.toLowerCase()}`}
            onClick={() => dialog.current?.close()}
          >
            <Icon name="close" />
          </button>
        </header>
        {children}
      </div>
    </dialog>
  )
}

/** Whether the window is at least so many pixels wide. */
export function useRoom(width: number): boolean {
  const [query] = useState(() => matchMedia(`(min-width: ${width}px)`))
  const [hasRoom, setRoom] = useState(query.matches)
  useEffect(() => {
    const update = () => setRoom(query.matches)
    query.addEventListener('change', update)
    return () => query.removeEventListener('change', update)
  }, [query])
  return hasRoom
}
