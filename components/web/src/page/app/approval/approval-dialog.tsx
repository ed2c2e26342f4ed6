/**
 * The question whether a call may run: a modal dialog of the page, above everything that a model or a tool can show.
 *
 * Neither button has the focus at first, and Approve waits a moment: a key or a click that was meant for something else
 * must not approve a call.
 */
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { session } from '../sign-in/session.ts'
import { useStore } from '../store.ts'
import { type Asked, questions } from './approvals.ts'
import { ArgumentList } from './argument-list.tsx'
import { visible } from './visible.ts'
import './approval.css'

const WAIT_MS = 500

export function ApprovalDialog() {
  const [first, ...others] = useStore(questions)
  return first ? <Question key={first.number} asked={first} more={others.length} /> : null
}

/** A dialog of its own, so that closing the one before cannot answer a question that has just come. */
function Question({ asked, more }: { asked: Asked; more: number }) {
  const { tool, component, asker, decide, arguments: args } = asked
  const { state, name } = useStore(session)
  const [isReady, setReady] = useState(false)
  const dialog = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => {
    const shown = dialog.current
    shown?.showModal()
    shown?.querySelector('h2')?.focus()
    // A dialog that is only removed gives the focus to nothing.
    return () => shown?.close()
  }, [])
  useEffect(() => {
    const timer = setTimeout(() => setReady(true), WAIT_MS)
    return () => clearTimeout(timer)
  }, [])
  return (
    <dialog
      ref={dialog}
      class="approval"
      aria-labelledby="approval-title"
      aria-describedby="approval-about"
      onCancel={(event) => {
        event.preventDefault()
        decide(false)
      }}
      // A browser closes a dialog at the second Escape without asking.
      onClose={() => decide(false)}
    >
      <h2 id="approval-title" tabIndex={-1}>
        Approve this call?
      </h2>
      <p class="about" id="approval-about">
        This tool runs only after you have approved the call. Your approval is valid for this one
        call, with exactly these arguments.
      </p>
      <dl class="facts">
        <dt>Tool</dt>
        <dd>
          <code>{visible(tool)}</code>
        </dd>
        <dt>Component</dt>
        <dd>
          <code>{visible(component)}</code>
        </dd>
        <dt>Asked by</dt>
        <dd>{visible(asker)}</dd>
        {state === 'signed-in' && (
          <>
            <dt>Runs as</dt>
            <dd>{name}</dd>
          </>
        )}
      </dl>
      <h3>Arguments</h3>
      <ArgumentList args={args} />
      <div class="actions">
        <button
          type="button"
          class="primary"
          aria-disabled={!isReady}
          onClick={() => isReady && decide(true)}
        >
          Approve
        </button>
        <button type="button" onClick={() => decide(false)}>
          Decline
        </button>
        {more > 0 && (
          <span class="faint">
            {more === 1 ? '1 more call waits.' : `${more} more calls wait.`}
          </span>
        )}
      </div>
    </dialog>
  )
}
