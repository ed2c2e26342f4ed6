/**
 * One line, with what the server suggests while it is typed. Suggestions help and never disturb: an old request is cancelled,
 * and an error is not shown.
 *
 * @see https://www.w3.org/WAI/ARIA/apg/patterns/combobox/
 */
import { useEffect, useRef, useState } from 'preact/hooks'
import type { Complete } from '../form-context.ts'

interface SuggestedProps {
  attributes: Record<string, unknown>
  /** Of the argument. */
  name: string
  written: string
  hint: string | undefined
  complete: Complete
  onText: (text: string) => void
}

/** Milliseconds without a key. */
const PAUSE_MS = 200
const MOST = 100

export function Suggested({ attributes, name, written, hint, complete, onText }: SuggestedProps) {
  const [offers, setOffers] = useState<readonly string[]>([])
  const [isOpen, setOpen] = useState(false)
  const [at, setAt] = useState(-1)
  const asking = useRef<AbortController | undefined>(undefined)
  const list = useRef<HTMLUListElement>(null)
  const id = `${String(attributes['id'])}-offers`
  const shown = isOpen ? offers : []

  const stop = () => asking.current?.abort()
  useEffect(() => stop, [])
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' })
  }, [at])

  const ask = async (typed: string, pause: number) => {
    stop()
    const controller = new AbortController()
    asking.current = controller
    const { signal } = controller
    await new Promise((resolve) => setTimeout(resolve, pause))
    if (signal.aborted) return
    const found = await complete(name, typed, signal).catch(() => [])
    if (signal.aborted) return
    setOffers(found.slice(0, MOST))
    setAt(-1)
    setOpen(true)
  }
  const close = () => {
    stop()
    setOpen(false)
    setAt(-1)
  }
  const take = (offer: string) => {
    onText(offer)
    close()
  }
  const press = (event: KeyboardEvent) => {
    // Enter may end the composition of a character.
    if (event.isComposing) return
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    const chosen = shown[at]
    if (step !== undefined) {
      if (shown.length === 0) void ask(written, 0)
      else setAt((at + step + shown.length + (at < 0 && step < 0 ? 1 : 0)) % shown.length)
    } else if (event.key === 'Enter' && chosen !== undefined && !event.ctrlKey && !event.metaKey) {
      take(chosen)
    } else if (event.key === 'Escape' && shown.length > 0) {
      close()
      event.stopPropagation()
    } else return
    event.preventDefault()
  }
  return (
    <div class="suggested">
      <input
        {...attributes}
        type="text"
        role="combobox"
        aria-expanded={shown.length > 0}
        aria-controls={id}
        aria-autocomplete="list"
        aria-activedescendant={at >= 0 ? `${id}-${at}` : undefined}
        autocomplete="off"
        spellcheck={false}
        placeholder={hint}
        value={written}
        onInput={({ currentTarget: { value } }) => {
          onText(value)
          void ask(value, PAUSE_MS)
        }}
        onKeyDown={press}
        onBlur={close}
      />
      <ul id={id} role="listbox" aria-label="Suggestions" hidden={shown.length === 0} ref={list}>
        {shown.map((offer, index) => (
          <li
            key={offer}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === at}
            // The field keeps the focus.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => take(offer)}
          >
            {offer === '' ? <i>empty</i> : offer}
          </li>
        ))}
      </ul>
      <span class="unseen" role="status">
        {shown.length > 0 && `${shown.length} suggestions; press the down arrow to choose`}
      </span>
    </div>
  )
}
