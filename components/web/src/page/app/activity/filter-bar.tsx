import type { RequestFilter } from './request-filter.ts'

interface FilterBarProps {
  filter: RequestFilter
  onChange: (filter: RequestFilter) => void
}

export function FilterBar({ filter, onChange }: FilterBarProps) {
  return (
    <div class="filter-bar">
      <input
        type="search"
        aria-label="Filter requests"
        placeholder="Tool, component, caller or id"
        value={filter.words}
        onInput={({ currentTarget }) => onChange({ ...filter, words: currentTarget.value })}
      />
      <select
        aria-label="Outcome"
        value={filter.outcome}
        onChange={({ currentTarget }) => {
          const outcome = currentTarget.value as RequestFilter['outcome']
          onChange({ ...filter, outcome })
        }}
      >
        <option value="all">All outcomes</option>
        <option value="error">Not successful</option>
        <option value="running">Running</option>
      </select>
      <select
        aria-label="Duration"
        value={String(filter.slow)}
        onChange={({ currentTarget }) => onChange({ ...filter, slow: Number(currentTarget.value) })}
      >
        <option value="0">Any duration</option>
        <option value="100">Over 100 ms</option>
        <option value="1000">Over 1 s</option>
        <option value="10000">Over 10 s</option>
      </select>
      <label class="check small-text">
        <input
          type="checkbox"
          checked={filter.hasReads}
          onChange={({ currentTarget }) => onChange({ ...filter, hasReads: currentTarget.checked })}
        />
        Files and reads, too
      </label>
    </div>
  )
}
