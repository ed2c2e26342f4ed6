/** A JSON value in colours, whose lists and objects can be folded. Only what is open is in the document. */
import { useState } from 'preact/hooks'

/** Entries of one level that are shown at first, and with each more. */
const PAGE = 100
/** Characters of a text that are shown at first. */
const LONGEST = 2_000
/** Levels that are open at first, while the value is small. */
const OPEN_LEVELS = 2
const SMALL = 30

interface JsonTreeProps {
  value: unknown
  /** @default the value has no name */
  name?: string
  level?: number
}

export function JsonTree({ value, name, level = 0 }: JsonTreeProps) {
  const label = name !== undefined && <span class="j-name">{name}: </span>
  if (typeof value !== 'object' || value === null) {
    return (
      <div class="j-line">
        {label}
        <Scalar value={value} />
      </div>
    )
  }
  return <Branch value={value} label={label} level={level} />
}

interface BranchProps {
  value: object
  label: preact.ComponentChildren
  level: number
}

function Branch({ value, label, level }: BranchProps) {
  const isList = Array.isArray(value)
  const entries = Object.entries(value) as [string, unknown][]
  const isSmall = entries.length <= SMALL
  const [isOpen, setOpen] = useState(level < OPEN_LEVELS && (level === 0 || isSmall))
  const [shown, setShown] = useState(PAGE)
  const ends = isList ? ['[', ']'] : ['{', '}']
  if (entries.length === 0) {
    return (
      <div class="j-line">
        {label}
        {ends.join('')}
      </div>
    )
  }
  return (
    <details
      class="j-branch"
      open={isOpen}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary>
        {label}
        {ends[0]}
        <span class="faint">
          {isOpen ? ' ' : ' … '}
          {isList ? countOf(entries.length, 'item') : countOf(entries.length, 'field')}
          {isOpen ? '' : ` ${ends[1]}`}
        </span>
      </summary>
      {isOpen && (
        <div class="j-children">
          {entries.slice(0, shown).map(([key, each]) => (
            <JsonTree key={key} name={key} value={each} level={level + 1} />
          ))}
          {entries.length > shown && (
            <button type="button" class="linkish" onClick={() => setShown(shown + PAGE)}>
              Show {Math.min(PAGE, entries.length - shown)} more of {entries.length}
            </button>
          )}
        </div>
      )}
      {isOpen && <div class="j-line">{ends[1]}</div>}
    </details>
  )
}

function Scalar({ value }: { value: unknown }) {
  const [isWhole, setWhole] = useState(false)
  const kind = value === null ? 'null' : typeof value
  const text = JSON.stringify(value) ?? 'undefined'
  if (text.length <= LONGEST || isWhole) return <span class={`j-${kind}`}>{text}</span>
  return (
    <>
      <span class={`j-${kind}`}>{text.slice(0, LONGEST)}…</span>{' '}
      <button type="button" class="linkish" onClick={() => setWhole(true)}>
        Show all {text.length} characters
      </button>
    </>
  )
}

export function countOf(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`
}
