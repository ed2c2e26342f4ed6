/** A list of which so many entries are in the document: a tool may answer with thousands. */
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'

interface PartListProps<T> {
  items: readonly T[]
  /** Entries at first, and with each step more. */
  step: number
  /** One entry and many, for people. */
  words: string
  view: (item: T, index: number) => ComponentChildren
}

export function PartList<T>({ items, step, words, view }: PartListProps<T>) {
  const [shown, setShown] = useState(step)
  const rest = items.length - shown
  return (
    <>
      {items.slice(0, shown).map(view)}
      {rest > 0 && (
        <button type="button" class="linkish" onClick={() => setShown(shown + step)}>
          {rest} more {words}
        </button>
      )}
    </>
  )
}

/** Characters of a text that are shown at once: a browser stops for seconds with more. */
const LONGEST = 20_000

/** @param isCode keeps its lines and spaces. */
export function LongText({ text, isCode = false }: { text: string; isCode?: boolean }) {
  const [isWhole, setWhole] = useState(false)
  const isLong = text.length > LONGEST && !isWhole
  const shown = isLong ? text.slice(0, LONGEST) : text
  return (
    <>
      {isCode ? <pre tabIndex={0}>{shown}</pre> : <p class="said">{shown}</p>}
      {isLong && (
        <button type="button" class="linkish" onClick={() => setWhole(true)}>
          {text.length - LONGEST} more characters
        </button>
      )}
    </>
  )
}
