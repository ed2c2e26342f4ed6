/** What a user has to do before the server answers, in words and buttons. */
import { useId, useRef, useState } from 'preact/hooks'
import { useStore } from '../store.ts'
import { nameOf } from './resource.ts'
import { session } from './session.ts'
import { cancelSignIn, signIn, signInHere, useKey } from './sign-in.ts'
import './sign-in.css'

export function SignInCard() {
  const current = useStore(session)
  const { state, issuers, elsewhere, problem } = current
  const isWaiting = state === 'waiting'
  const hasIssuer = issuers.length > 0 || elsewhere !== ''
  return (
    <section class="sign-in card" aria-labelledby="sign-in-title" data-state={state}>
      <div role="status">
        <h2 id="sign-in-title">{titleOf(state, hasIssuer)}</h2>
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
      {isWaiting ? <Waiting /> : <Issuers />}
      {!isWaiting && (hasIssuer ? <OtherWay /> : <KeyForm />)}
    </section>
  )
}

function titleOf(state: string, hasIssuer: boolean): string {
  if (state === 'waiting') return 'Signing in…'
  if (state !== 'expired') {
    return hasIssuer ? 'This server requires sign-in' : 'This server requires an API key'
  }
  return hasIssuer ? 'Your sign-in has expired' : 'Your API key is not valid any more'
}

function wordsOf(state: string, hasIssuer: boolean): string {
  if (state === 'waiting') return 'Continue in the window that has opened. This page waits for it.'
  if (state === 'expired') {
    return `${hasIssuer ? 'Sign in again' : 'Enter another key'} to continue. What you have typed stays here.`
  }
  return hasIssuer
    ? 'Sign in to see its tools and to use the chat.'
    : 'Enter a key to see its tools and to use the chat. The operator of the server can give you one.'
}

function Issuers() {
  const { issuers, isBlocked } = useStore(session)
  if (issuers.length === 0) return null
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
