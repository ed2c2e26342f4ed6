/** What a user has to do before the server answers, in words and buttons. */
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { useStore } from '../store.ts'
import { nameOf } from './resource.ts'
import { needsSignIn, session } from './session.ts'
import { cancelSignIn, signIn, signInHere, useKey } from './sign-in.ts'

export function SignInCard() {
  const { state, issuers, elsewhere, problem, isBlocked } = useStore(session)
  const card = useRef<HTMLElement>(null)
  const isShown = needsSignIn(useStore(session))
  // The button that had the focus goes with the card.
  useEffect(() => {
    if (isShown)
      return () => document.querySelector<HTMLElement>('h1')?.focus({ preventScroll: true })
  }, [isShown])
  if (!isShown) return null
  const isWaiting = state === 'waiting'
  const hasIssuer = issuers.length > 0
  return (
    <section ref={card} class="sign-in card" aria-labelledby="sign-in-title" data-state={state}>
      <div role="status">
        <h2 id="sign-in-title">{titleOf(state, hasIssuer || elsewhere !== '')}</h2>
        <p class="about">{wordsOf(state, hasIssuer)}</p>
      </div>
      {problem !== '' && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      {elsewhere !== '' && (
        <p>
          Users sign in to this server at <a href={elsewhere}>{elsewhere}</a>. Open the page there.
        </p>
      )}
      {isWaiting ? <Waiting /> : <Issuers {...{ issuers, isBlocked }} />}
      {!isWaiting && (hasIssuer || elsewhere !== '' ? <OtherWay /> : <KeyForm />)}
    </section>
  )
}

function titleOf(state: string, hasIssuer: boolean): string {
  if (state === 'expired') return 'Your sign-in has expired'
  if (state === 'waiting') return 'Signing in…'
  return hasIssuer ? 'This server requires sign-in' : 'This server requires an API key'
}

function wordsOf(state: string, hasIssuer: boolean): string {
  if (state === 'expired') return 'Sign in again to continue. What you have typed stays here.'
  if (state === 'waiting') return 'Continue in the window that has opened. This page waits for it.'
  return hasIssuer
    ? 'Sign in to see its tools and to use the chat.'
    : 'Enter a key to see its tools and to use the chat. Its operator can give you one.'
}

function Issuers({ issuers, isBlocked }: { issuers: readonly string[]; isBlocked: boolean }) {
  return (
    <div class="actions">
      {issuers.map((issuer) => (
        <button
          type="button"
          class="primary"
          key={issuer}
          onClick={() => void (isBlocked ? signInHere(issuer) : signIn(issuer))}
        >
          {isBlocked ? 'Sign in, in this tab, with' : 'Sign in with'} {nameOf(issuer)}
        </button>
      ))}
    </div>
  )
}

function Waiting() {
  const { issuers, at } = useStore(session)
  const issuer = issuers.find((each) => nameOf(each) === at)
  return (
    <div class="actions">
      {issuer !== undefined && (
        <>
          <button type="button" onClick={() => void signIn(issuer)}>
            Open the window again
          </button>
          <button type="button" onClick={() => void signInHere(issuer)}>
            Use this tab instead
          </button>
        </>
      )}
      <button type="button" onClick={cancelSignIn}>
        Cancel
      </button>
    </div>
  )
}

function OtherWay() {
  return (
    <details>
      <summary>Use an API key instead</summary>
      <KeyForm />
    </details>
  )
}

function KeyForm() {
  const id = useId()
  const field = useRef<HTMLInputElement>(null)
  const [problem, setProblem] = useState('')
  const [isBusy, setBusy] = useState(false)
  const submit = async (event: Event) => {
    event.preventDefault()
    setBusy(true)
    setProblem(await useKey(field.current?.value.trim() ?? ''))
    setBusy(false)
  }
  return (
    <form class="key" onSubmit={(event) => void submit(event)}>
      <div class="field">
        <label for={id}>API key</label>
        <input
          ref={field}
          id={id}
          type="password"
          autoComplete="off"
          spellcheck={false}
          aria-describedby={`${id}-hint`}
          aria-invalid={problem !== ''}
        />
        {problem !== '' && (
          <p class="problem" role="alert">
            {problem}
          </p>
        )}
        <p class="about" id={`${id}-hint`}>
          The page keeps the key in memory only. It is not stored, and a reload forgets it.
        </p>
      </div>
      <button type="submit" disabled={isBusy}>
        Use this key
      </button>
    </form>
  )
}
