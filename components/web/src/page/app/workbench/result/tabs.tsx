/** Tabs that arrow keys move between. Only the chosen one is drawn, and those that are kept. */
import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'
import { useKept } from '../../kept-state.ts'

export interface Tab {
  name: string
  view: () => ComponentChildren
  /** Is kept in the document while another is chosen: an app would begin again. */
  isKept?: boolean
}

export function Tabs({ label, tabs }: { label: string; tabs: readonly Tab[] }) {
  const id = useId()
  // The same tab of the next result is shown.
  const [chosen, setChosen] = useKept(`tabs.${label}`, () => tabs[0]?.name ?? '')
  const index = Math.max(
    tabs.findIndex(({ name }) => name === chosen),
    0,
  )
  const go = (to: number) => {
    const next = tabs[(to + tabs.length) % tabs.length]
    if (!next) return
    setChosen(() => next.name)
    document.getElementById(`${id}-${next.name}`)?.focus()
  }
  return (
    <>
      <div class="tabs" role="tablist" aria-label={label}>
        {tabs.map(({ name }, at) => (
          <button
            key={name}
            type="button"
            role="tab"
            id={`${id}-${name}`}
            aria-selected={at === index}
            aria-controls={`${id}-panel`}
            tabIndex={at === index ? 0 : -1}
            onClick={() => setChosen(() => name)}
            onKeyDown={(event) => {
              const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
              if (step === undefined) return
              event.preventDefault()
              go(at + step)
            }}
          >
            {name}
          </button>
        ))}
      </div>
      {tabs.map(({ name, view, isKept = false }, at) => {
        const isChosen = at === index
        return (
          (isChosen || isKept) && (
            <div
              key={name}
              id={isChosen ? `${id}-panel` : undefined}
              role="tabpanel"
              aria-labelledby={`${id}-${name}`}
              class="tab-panel"
              hidden={!isChosen}
            >
              {view()}
            </div>
          )
        )
      })}
    </>
  )
}
