/** Removes jobs from this browser, says so, and takes it back. */
import { Icon } from '../icons.tsx'
import { removed, removeJobs, undoRemoval } from '../jobs/removal.ts'
import { useStore } from '../store.ts'

export function UndoNotice() {
  const { length } = useStore(removed)
  const undo = () => {
    undoRemoval()
    focusHeading()
  }
  return (
    <div role="status">
      {length > 0 && (
        <p class="notice line undo">
          <span class="grow">{length === 1 ? '1 job removed.' : `${length} jobs removed.`}</span>
          <button type="button" class="small" onClick={undo}>
            Undo
          </button>
        </p>
      )}
    </div>
  )
}

/** The button that had the focus goes. */
export function focusHeading(): void {
  document.querySelector<HTMLElement>('h1')?.focus({ preventScroll: true })
}

export function RemoveButton({ id }: { id: string }) {
  return (
    <button
      type="button"
      class="small"
      data-part="end"
      onClick={({ currentTarget }) => {
        focusNeighbour(currentTarget)
        removeJobs([id])
      }}
    >
      <Icon name="bin" /> Remove
    </button>
  )
}

/** Gives the focus to the same button of a neighbour, before the item of this one is removed. */
function focusNeighbour(button: HTMLElement): void {
  const item = button.closest('li')
  const neighbour = item?.nextElementSibling ?? item?.previousElementSibling
  const other = neighbour?.querySelector<HTMLElement>('[data-part="end"]')
  if (other) other.focus()
  else focusHeading()
}
