/** The sign-in, whose script is loaded when the server requires it. */
import { useEffect } from 'preact/hooks'
import { useLoaded } from '../frame/loaded.ts'
import { useStore } from '../store.ts'
import { needsSignIn, session } from './session.ts'

const load = async () => (await import('./sign-in-card.tsx')).SignInCard

export function LoadedSignIn() {
  const isShown = needsSignIn(useStore(session))
  const { part: Card, failures, retry } = useLoaded(isShown ? load : undefined)
  useEffect(() => (isShown ? focusHeading : undefined), [isShown])
  if (Card) return <Card />
  if (!isShown || failures === 0) return null
  return (
    <p class="problem line" role="alert">
      <span class="grow">This server requires sign-in, and the form could not be loaded.</span>
      <button type="button" class="small" onClick={retry}>
        Try again
      </button>
    </p>
  )
}

/** When the card goes, with the button that had the focus. */
function focusHeading(): void {
  if (document.activeElement !== document.body) return
  document.querySelector<HTMLElement>('h1')?.focus({ preventScroll: true })
}
