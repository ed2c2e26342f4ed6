/** The HTTP API of this gateway, from its OpenAPI document. */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { getJson } from '../net/api.ts'
import { wordsOf } from '../net/tools.ts'
import { search } from '../palette/fuzzy.ts'
import type { Route } from '../route.ts'
import { needsSignIn, session } from '../sign-in/session.ts'
import { useStore } from '../store.ts'
import { type Operation, readDocument } from './document.ts'
import { Method, OperationView } from './operation-view.tsx'
import './reference.css'

/** More are found by searching. */
const MOST_LISTED = 300

export function ReferenceView({ of }: Pick<Route, 'of'>) {
  const [operations, setOperations] = useState<readonly Operation[] | undefined>()
  const [problem, setProblem] = useState('')
  const isShut = needsSignIn(useStore(session))
  const load = async () => {
    setProblem('')
    try {
      setOperations(readDocument(await getJson('/openapi.json', {}, true)))
    } catch (error) {
      setProblem(wordsOf(error))
    }
  }
  useEffect(() => void load(), [])
  const chosen = operations?.find(({ id }) => id === of) ?? operations?.[0]
  return (
    <div class="reference">
      <header class="reference-head">
        <h1 tabIndex={-1}>HTTP API</h1>
        <a class="button small" href="/openapi.json" download="openapi.json">
          OpenAPI document
        </a>
      </header>
      {problem !== '' && (
        <p class="notice" role="alert">
          {problem}{' '}
          <button type="button" class="small" onClick={() => void load()}>
            Try again
          </button>
        </p>
      )}
      {!operations && problem === '' && !isShut && <p class="faint">Loading the API…</p>}
      {operations && chosen && (
        <div class="reference-columns">
          <List operations={operations} chosen={chosen} />
          <OperationView key={chosen.id} operation={chosen} />
        </div>
      )}
    </div>
  )
}

interface ListProps {
  operations: readonly Operation[]
  chosen: Operation
}

function List({ operations, chosen }: ListProps) {
  const [query, setQuery] = useState('')
  const list = useRef<HTMLDivElement>(null)
  const entries = useMemo(
    () =>
      operations.map((operation) => {
        const { title, path, method, about } = operation
        const text = `${title} ${method} ${path}`.toLowerCase()
        return { operation, searchable: { text, more: about.toLowerCase() } }
      }),
    [operations],
  )
  const found = useMemo(() => search(entries, query), [entries, query])
  const groups = useMemo(() => grouped(found.slice(0, MOST_LISTED)), [found])
  useEffect(() => {
    list.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' })
  }, [chosen])
  return (
    <div class="reference-side">
      <label class="field">
        <span class="unseen">Search the API</span>
        <input
          type="search"
          placeholder="Search the API"
          value={query}
          onInput={({ currentTarget: { value } }) => setQuery(value)}
        />
      </label>
      <p class="unseen" role="status">
        {query !== '' && `${found.length} found`}
      </p>
      <div class="reference-list" ref={list} role="navigation" aria-label="Operations">
        {found.length === 0 && <p class="faint">Nothing is named like this.</p>}
        {[...groups].map(([name, members]) => (
          <div key={name}>
            <p class="reference-group">{name === '' ? 'Gateway' : name}</p>
            <ul>
              {members.map(({ id, method, title }) => (
                <li key={id}>
                  <a
                    href={`#/api/${encodeURIComponent(id)}`}
                    aria-current={id === chosen.id ? 'true' : undefined}
                  >
                    <Method method={method} />
                    <span>{title}</span>
                  </a>
                </li>
              ))}
            </ul>
          </div>
        ))}
        {found.length > MOST_LISTED && (
          <p class="faint small-text">{`${found.length - MOST_LISTED} more: search for them.`}</p>
        )}
      </div>
    </div>
  )
}

function grouped(entries: readonly { operation: Operation }[]): Map<string, Operation[]> {
  const groups = new Map<string, Operation[]>()
  for (const { operation } of entries) {
    const members = groups.get(operation.group)
    if (members) members.push(operation)
    else groups.set(operation.group, [operation])
  }
  return groups
}
