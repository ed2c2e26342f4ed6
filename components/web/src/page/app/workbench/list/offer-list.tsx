/** Thousands of tools, prompts or resources in a list: only the rows in sight are in the document. */
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { useKept } from '../../kept-state.ts'
import { plainWords } from '../../sign-in/challenge.ts'
import type { Row } from './rows.ts'
import './tool-list.css'

interface OfferListProps {
  /** What the items are: `tools`. */
  noun: string
  count: number
  rowsFor: (query: string) => readonly Row[]
  /** Key of an item. */
  selected: string
  /** Under this key, the search and the place are kept while the user is elsewhere. */
  keep: string
  /** Called before the address changes, if the user chooses an item. */
  onChoose?: (key: string) => void
}

/** Pixels, as in the style sheet. */
const ROW = 52
/** Rows above and below those in sight. */
const AROUND = 8

export function OfferList({ noun, count: all, rowsFor, selected, keep, onChoose }: OfferListProps) {
  const [query, setQuery] = useKept(`${keep}.query`, () => '')
  const rows = useMemo(() => rowsFor(query), [rowsFor, query])
  const scroller = useRef<HTMLDivElement>(null)
  const [place, setPlace] = useKept(`${keep}.place`, () => 0)
  const [height, setHeight] = useState(600)
  /** An item that is to get the focus as soon as it is in the document. */
  const [wanted, setWanted] = useState<{ key: string }>()
  const count = rows.filter(({ kind }) => kind === 'item').length

  useLayoutEffect(() => {
    const element = scroller.current
    if (!element) return
    element.scrollTop = place
    const observer = new ResizeObserver(() => setHeight(element.clientHeight))
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  // The item of a link comes into sight, also when the groups come later and move it.
  useEffect(() => show(indexOf(rows, selected)), [selected, rows.length > 0, rowsFor])
  // Before the user can press another key: the focus must not come back from where that leads.
  useLayoutEffect(() => {
    if (wanted) linkOf(scroller.current, wanted.key)?.focus()
  }, [wanted])

  const show = (index: number) => {
    const element = scroller.current
    if (!element || index < 0) return
    const top = index * ROW
    if (top < element.scrollTop) element.scrollTop = Math.max(top - ROW, 0)
    else if (top + ROW > element.scrollTop + element.clientHeight) {
      element.scrollTop = top + ROW - element.clientHeight
    }
  }
  const move = (from: number, step: number) => {
    for (let at = from + step; at >= 0 && at < rows.length; at += Math.sign(step)) {
      const row = rows[at]
      if (row?.kind !== 'item') continue
      show(at)
      setPlace(() => scroller.current?.scrollTop ?? 0)
      // At once, if it is in the document: the next key is for it.
      const link = linkOf(scroller.current, row.item.key)
      link?.focus()
      if (!link) setWanted({ key: row.item.key })
      return
    }
    // Above the first item is the search.
    if (step < 0) document.getElementById('offer-search')?.focus()
  }
  const onKey = (event: KeyboardEvent) => {
    const page = Math.max(Math.floor(height / ROW) - 1, 1)
    const name = (event.target as HTMLElement).dataset['name'] ?? ''
    const from = name === '' ? -1 : indexOf(rows, name)
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page }[event.key]
    const target = { Home: [-1, 1], End: [rows.length, -1] }[event.key]
    if (step !== undefined)
      move(Math.min(Math.max(from + step - Math.sign(step), -1), rows.length - 1), Math.sign(step))
    else if (target && name !== '') move(target[0] ?? 0, target[1] ?? 1)
    else return
    event.preventDefault()
  }

  const first = Math.max(Math.floor(place / ROW) - AROUND, 0)
  const last = Math.min(Math.ceil((place + height) / ROW) + AROUND, rows.length)
  return (
    <div class="tool-list" onKeyDown={onKey}>
      <input
        id="offer-search"
        type="search"
        aria-label={`Search ${noun}`}
        placeholder={`Search ${all} ${all === 1 ? noun.slice(0, -1) : noun}`}
        autocomplete="off"
        value={query}
        onInput={(event) => {
          const { value } = event.currentTarget
          setQuery(() => value)
          if (scroller.current) scroller.current.scrollTop = 0
        }}
      />
      <p class="unseen" role="status">
        {query !== '' && `${count} ${noun} match`}
      </p>
      {rows.length === 0 && <p class="about">Nothing matches.</p>}
      <div
        class="tool-rows"
        ref={scroller}
        // It scrolls by the keys of its links.
        onScroll={(event) => {
          const { scrollTop } = event.currentTarget
          setPlace(() => scrollTop)
        }}
      >
        <ul style={{ height: `${rows.length * ROW}px` }}>
          {rows.slice(first, last).map((row, index) => (
            <RowView
              key={row.kind === 'item' ? `item ${row.item.key}` : `group ${row.name}`}
              row={row}
              index={first + index}
              isSelected={row.kind === 'item' && row.item.key === selected}
              noun={noun}
              onChoose={onChoose}
            />
          ))}
        </ul>
      </div>
    </div>
  )
}

function linkOf(list: HTMLElement | null, name: string): HTMLElement | null {
  return list?.querySelector(`[data-name="${CSS.escape(name)}"]`) ?? null
}

function indexOf(rows: readonly Row[], name: string): number {
  return rows.findIndex((row) => row.kind === 'item' && row.item.key === name)
}

interface RowViewProps {
  row: Row
  index: number
  isSelected: boolean
  noun: string
  onChoose: OfferListProps['onChoose']
}

function RowView({ row, index, isSelected, noun, onChoose }: RowViewProps) {
  const style = { top: `${index * ROW}px` }
  if (row.kind === 'group') {
    const { name, status, count, problems } = row
    return (
      <li class="group-row" style={style} title={problems.join('\n') || undefined}>
        <h2>{name}</h2>
        {status !== '' && status !== 'ok' && (
          <span class="badge" data-state={status}>
            {status}
          </span>
        )}
        <span class="faint" aria-label={`${count} ${noun}`}>
          {count}
        </span>
        {problems.length > 0 && <span class="problem clamped">{problems.join(' ')}</span>}
      </li>
    )
  }
  const { key, href, title, marks } = row.item
  return (
    <li class="tool-row" style={style}>
      <a
        href={href}
        data-name={key}
        aria-current={isSelected ? 'true' : undefined}
        onClick={() => onChoose?.(key)}
      >
        <span class="tool-title">{plainWords(title)}</span>
        <span class="tool-marks">
          {marks.map(({ text, title, tone }) => (
            <span key={text} class="badge" data-state={tone} title={title}>
              {text}
            </span>
          ))}
        </span>
        <code class="faint">{plainWords(key)}</code>
      </a>
    </li>
  )
}
