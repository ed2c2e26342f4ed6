/**
 * Ctrl+K: goes to a page, a tool, a conversation or a job by some letters of its name.
 *
 * @see https://www.w3.org/WAI/ARIA/apg/patterns/combobox/
 */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { Icon } from '../icons.tsx'
import { jobs } from '../jobs/known-jobs.ts'
import { catalog } from '../net/tools.ts'
import { useStore } from '../store.ts'
import {
  actionEntries,
  conversationEntries,
  type Entry,
  jobEntries,
  offerEntries,
  pageEntries,
  toolEntries,
} from './entries.ts'
import { offers } from '../workbench/offers/offers.ts'
import { chosenServer, servers } from '../workbench/servers/known-servers.ts'
import { search } from './fuzzy.ts'
import './palette.css'

/** Of each group, while nothing is typed; and altogether. */
const MOST_OF_GROUP = 8
const MOST = 50

export function Palette({ onClose }: { onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const { tools } = useStore(catalog)
  const known = useStore(jobs)
  const offered = useStore(offers)
  const server = chosenServer(useStore(servers))
  const [query, setQuery] = useState('')
  const [chosen, setChosen] = useState(0)
  const [problem, setProblem] = useState('')
  const entries = useMemo(
    () => [
      ...pageEntries(),
      ...toolEntries(tools),
      ...offerEntries(offered, server),
      ...conversationEntries(),
      ...jobEntries(known),
      ...actionEntries(),
    ],
    [tools, known, offered, server],
  )
  const { shown, count } = useMemo(() => select(entries, query), [entries, query])
  const at = Math.min(chosen, shown.length - 1)
  useEffect(() => dialog.current?.showModal(), [])
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' })
  }, [at, query])

  const open = async (entry: Entry | undefined) => {
    if (!entry) return
    const said = await entry.open()
    setProblem(said)
    if (said === '') dialog.current?.close()
  }
  const press = (event: KeyboardEvent) => {
    // Enter may end the composition of a character.
    if (event.isComposing) return
    const last = shown.length - 1
    const targets: Record<string, number> = {
      ArrowDown: at >= last ? 0 : at + 1,
      ArrowUp: at <= 0 ? last : at - 1,
      PageDown: Math.min(at + MOST_OF_GROUP, last),
      PageUp: Math.max(at - MOST_OF_GROUP, 0),
    }
    const target = targets[event.key]
    if (target !== undefined) setChosen(target)
    else if (event.key === 'Enter') void open(shown[at])
    else return
    event.preventDefault()
  }
  return (
    <dialog
      ref={dialog}
      class="palette"
      aria-label="Go to"
      onClose={onClose}
      onClick={(event) => event.target === dialog.current && dialog.current?.close()}
    >
      <div class="palette-inside">
        <div class="palette-head">
          <Icon name="search" />
          <input
            type="text"
            role="combobox"
            aria-label="Go to a page, tool, conversation or job"
            aria-expanded={shown.length > 0}
            aria-controls="palette-list"
            aria-autocomplete="list"
            aria-activedescendant={shown[at] && `palette-${at}`}
            placeholder="Go to a page, tool, conversation or job"
            autoComplete="off"
            spellcheck={false}
            value={query}
            onInput={({ currentTarget: { value } }) => {
              setQuery(value)
              setChosen(0)
              setProblem('')
            }}
            onKeyDown={press}
          />
          <button type="button" class="bare small" onClick={() => dialog.current?.close()}>
            <span class="unseen">Close</span> <kbd>Esc</kbd>
          </button>
        </div>
        {problem !== '' && (
          <p class="problem" role="alert">
            {problem}
          </p>
        )}
        <div
          id="palette-list"
          class="palette-list"
          role="listbox"
          aria-label="Found"
          data-query={query}
          ref={list}
        >
          {groups(shown).map(({ name, first, members }) => (
            <div role="group" aria-label={name} key={`${name}-${first}`}>
              <p class="palette-group" aria-hidden="true">
                {name}
              </p>
              {members.map((entry, index) => (
                <Row
                  key={entry.id}
                  entry={entry}
                  id={`palette-${first + index}`}
                  isChosen={first + index === at}
                  onPoint={() => setChosen(first + index)}
                  onOpen={() => void open(entry)}
                />
              ))}
            </div>
          ))}
        </div>
        <p class="palette-foot" role="status">
          {count === 0 ? `Nothing is named like “${query.slice(0, 60)}”.` : wordsFor(shown, count)}
        </p>
      </div>
    </dialog>
  )
}

interface RowProps {
  entry: Entry
  id: string
  isChosen: boolean
  onPoint: () => void
  onOpen: () => void
}

function Row({ entry, id, isChosen, onPoint, onOpen }: RowProps) {
  return (
    <div
      class="palette-row"
      role="option"
      id={id}
      aria-selected={isChosen}
      onPointerMove={onPoint}
      onClick={onOpen}
    >
      <Icon name={entry.icon} />
      <span class="palette-title">{entry.title}</span>
      {entry.note !== '' && <span class="palette-note">{entry.note}</span>}
    </div>
  )
}

function wordsFor(shown: readonly Entry[], count: number): string {
  return count > shown.length
    ? `${shown.length} of ${count}; type to find the others`
    : `${count} found`
}

/** While nothing is typed, some of each group. */
function select(entries: readonly Entry[], query: string): { shown: Entry[]; count: number } {
  const found = search(entries, query)
  if (query.trim() !== '') return { shown: found.slice(0, MOST), count: found.length }
  const counts = new Map<string, number>()
  const shown = found.filter(({ group }) => {
    const before = counts.get(group) ?? 0
    counts.set(group, before + 1)
    return before < MOST_OF_GROUP
  })
  return { shown, count: found.length }
}

/** Neighbours of one group; the best match stays first, so that a group can come twice. */
function groups(shown: readonly Entry[]) {
  const all: { name: string; first: number; members: Entry[] }[] = []
  for (const [index, entry] of shown.entries()) {
    const last = all.at(-1)
    if (last?.name === entry.group) last.members.push(entry)
    else all.push({ name: entry.group, first: index, members: [entry] })
  }
  return all
}
