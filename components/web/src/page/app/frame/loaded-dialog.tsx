/** A dialog whose script is loaded when it is first opened. */
import type { FunctionComponent } from 'preact'
import { useLoaded } from './loaded.ts'

interface Closing {
  onClose: () => void
}

export function Part({
  load,
  onClose,
}: { load: () => Promise<FunctionComponent<Closing>> } & Closing) {
  const { part: Dialog, failures, retry } = useLoaded(load)
  if (Dialog) return <Dialog onClose={onClose} />
  if (failures === 0) return null
  return (
    <p class="offline part-failed line" role="alert">
      <span class="grow">This part of the page could not be loaded.</span>
      <button type="button" class="small" onClick={retry}>
        Try again
      </button>
      <button type="button" class="small" onClick={onClose}>
        Close
      </button>
    </p>
  )
}
