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
/** Characters that a click adds. */
const STEP = 200_000

/** @param isCode keeps its lines and spaces. */
export function LongText({ text, isCode = false }: { text: string; isCode?: boolean }) {
  const [length, setLength] = useState(LONGEST)
  const rest = text.length - length
  const shown = rest > 0 ? text.slice(0, length) : text
  return (
    <>
      {isCode ? <pre tabIndex={0}>{shown}</pre> : <p class="said">{shown}</p>}
      {rest > 0 && (
        <p class="line small-text">
          <span class="faint">
            This text is long ({sizeOf(text.length)}). The beginning is shown.
          </span>
          <button type="button" class="linkish" onClick={() => setLength(length + STEP)}>
            {rest} more characters
          </button>
          <button type="button" class="linkish" onClick={() => void download(text, isCode)}>
            Download
          </button>
        </p>
      )}
    </>
  )
}

function sizeOf(characters: number): string {
  return characters < 1e6
    ? `${Math.round(characters / 1e3)} KB`
    : `${(characters / 1e6).toFixed(1)} MB`
}

async function download(text: string, isJson: boolean): Promise<void> {
  const { downloadText } = await import('./picture/download.ts')
  downloadText(text, isJson ? 'json' : 'txt')
}
