/** The approval dialog, whose script is loaded with the first question. */
import { useRef } from 'preact/hooks'
import { useLoaded } from '../frame/loaded.ts'
import { useStore } from '../store.ts'
import { questions } from './approvals.ts'

const load = async () => (await import('./approval-dialog.tsx')).ApprovalDialog

export function LoadedApproval() {
  const [question] = useStore(questions)
  // It stays when the last question is answered, because closing gives the focus back.
  const isNeeded = useRef(false)
  if (question) isNeeded.current = true
  const { part: Dialog, failures, retry } = useLoaded(isNeeded.current ? load : undefined)
  if (Dialog) return <Dialog />
  if (!question || failures === 0) return null
  return (
    <p class="offline part-failed line" role="alert">
      <span class="grow">
        A call waits for your approval, and the question could not be loaded.
      </span>
      <button type="button" class="small" onClick={retry}>
        Try again
      </button>
      <button type="button" class="small" onClick={() => question.decide(false)}>
        Deny
      </button>
    </p>
  )
}
