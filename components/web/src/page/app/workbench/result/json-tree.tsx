/** JSON that can be folded, in colours. Only what is open is in the document, and of that so many rows at once. */
import { useState } from 'preact/hooks'
import './json-tree.css'

interface TreeProps {
  value: unknown
  /** Levels that are open at first, while they have few entries. */
  open?: number
  /** Of the whole tree. */
  label?: string
}

export function JsonTree({ value, open = 2, label = 'JSON' }: TreeProps) {
  return (
    <div class="json-tree" tabIndex={0} role="group" aria-label={label}>
      <Node value={value} open={open} isInner={false} />
    </div>
  )
}

/** Entries of one object or list that are shown at once. */
const STEP = 100
/** An object or list in another that has more entries than this is folded at first. */
const SMALL = 30
/** Characters of a text that are shown at once. */
const LONGEST = 2_000

interface NodeProps {
  value: unknown
  name?: string
  open: number
  isInner?: boolean
}

function Node({ value, name, open, isInner = true }: NodeProps) {
  const [isOpen, setOpen] = useState(open > 0 && (!isInner || sizeOf(value) <= SMALL))
  const [shown, setShown] = useState(STEP)
  const label = name === undefined ? null : <span class="json-key">{name}: </span>
  if (typeof value !== 'object' || value === null) {
    return (
      <div class="json-line">
        {label}
        <Scalar value={value} />
      </div>
    )
  }
  const isList = Array.isArray(value)
  const keys = isList ? [] : Object.keys(value)
  const count = isList ? value.length : keys.length
  const words = countOf(count, isList ? 'item' : 'field')
  const summary = isList ? `[ ${words} ]` : `{ ${words} }`
  if (count === 0) {
    return (
      <div class="json-line">
        {label}
        <span class="faint">{isList ? '[]' : '{}'}</span>
      </div>
    )
  }
  const entryAt = (index: number): [string, unknown] => {
    if (isList) return [String(index), (value as unknown[])[index]]
    const key = keys[index] ?? ''
    return [key, (value as Record<string, unknown>)[key]]
  }
  const most = Math.min(count, shown)
  return (
    <div class="json-node">
      <button
        type="button"
        class="json-fold"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        <span aria-hidden="true">{isOpen ? '▾' : '▸'}</span> {label}
        <span class="faint">{summary}</span>
      </button>
      {isOpen && (
        <div class="json-inner">
          {Array.from({ length: most }, (_, index) => {
            const [key, inner] = entryAt(index)
            return <Node key={key} name={key} value={inner} open={open - 1} />
          })}
          {count > shown && (
            <button type="button" class="linkish" onClick={() => setShown(shown + STEP)}>
              Show {Math.min(STEP, count - shown)} more of {count}
            </button>
          )}
        </div>
      )}
    </div>
  )
}

function sizeOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  return Array.isArray(value) ? value.length : Object.keys(value).length
}

export function countOf(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`
}

function Scalar({ value }: { value: unknown }) {
  const [isWhole, setWhole] = useState(false)
  if (typeof value !== 'string') {
    return (
      <span class={value === null ? 'json-null' : `json-${typeof value}`}>{String(value)}</span>
    )
  }
  const isLong = value.length > LONGEST && !isWhole
  return (
    <>
      <span class="json-string">{JSON.stringify(isLong ? value.slice(0, LONGEST) : value)}</span>
      {isLong && (
        <button type="button" class="linkish" onClick={() => setWhole(true)}>
          {value.length - LONGEST} more characters
        </button>
      )}
    </>
  )
}
