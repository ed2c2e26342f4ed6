/** A list of objects as a table. */
import { useState } from 'preact/hooks'
import { isObject, type Json } from '../../form/schema/values.ts'
import { JsonTree } from './json-tree.tsx'
import './table.css'

const STEP = 50
const MOST_COLUMNS = 20
/** Rows that are looked at to find the columns. */
const SAMPLE = 200

/** @returns the columns, if it is a list of objects with something in common. */
export function columnsOf(value: unknown): string[] | undefined {
  if (!Array.isArray(value) || value.length < 2) return undefined
  const rows = value.slice(0, SAMPLE) as unknown[]
  if (!rows.every(isObject)) return undefined
  const columns = new Set(rows.flatMap((row) => Object.keys(row)))
  return columns.size > 0 && columns.size <= MOST_COLUMNS ? [...columns] : undefined
}

export function Table({ rows, columns }: { rows: readonly Json[]; columns: readonly string[] }) {
  const [shown, setShown] = useState(STEP)
  return (
    <div class="table-scroll" tabIndex={0} role="group" aria-label={`Table of ${rows.length} rows`}>
      <table>
        <thead>
          <tr>
            <th scope="col">#</th>
            {columns.map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, shown).map((row, index) => (
            <tr key={index}>
              <td class="faint">{index + 1}</td>
              {columns.map((column) => (
                <td key={column}>
                  <Cell value={Object.hasOwn(row, column) ? row[column] : undefined} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length > shown && (
        <button type="button" class="linkish" onClick={() => setShown(shown + STEP * 4)}>
          {rows.length - shown} more rows
        </button>
      )}
    </div>
  )
}

const LONGEST = 300

function Cell({ value }: { value: unknown }) {
  if (value === undefined) return null
  if (typeof value === 'object' && value !== null) return <JsonTree value={value} open={0} />
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return <>{text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text}</>
}
