/** One of several values. A long list of them is searched. */
import { useMemo, useState } from 'preact/hooks'
import type { InputProps } from '../node-view.tsx'
import { type Option, worded } from '../schema/shape.ts'

/** Values of a menu; of more, those that match what is typed are shown. */
const LONGEST_MENU = 100
const SHOWN = 50

export function Choice({ options, ...props }: InputProps & { options: readonly Option[] }) {
  const { value, required, attributes, onChange } = props
  const index = indexOf(options, value)
  if (options.length > LONGEST_MENU) return <SearchedChoice {...props} options={options} />
  const isOther = index < 0 && value !== undefined
  return (
    <select
      {...attributes}
      value={isOther ? 'other' : String(index)}
      onChange={(event) => onChange(options[Number(event.currentTarget.value)]?.value)}
    >
      {(!required || value === undefined) && <option value="-1">not chosen</option>}
      {isOther && <option value="other">{worded(value)}</option>}
      {options.map(({ label }, at) => (
        <option key={at} value={String(at)}>
          {label}
        </option>
      ))}
    </select>
  )
}

function SearchedChoice({
  options,
  value,
  attributes,
  onChange,
}: InputProps & { options: readonly Option[] }) {
  const index = indexOf(options, value)
  const [typed, setTyped] = useState('')
  const matching = useMemo(() => {
    const wanted = typed.toLowerCase()
    return options.flatMap((option, at) =>
      option.label.toLowerCase().includes(wanted) ? [{ ...option, at }] : [],
    )
  }, [options, typed])
  const id = String(attributes['id'])
  return (
    <div class="searched">
      <p class="faint">{index < 0 ? 'Not chosen' : `Chosen: ${options[index]?.label}`}</p>
      <input
        {...attributes}
        type="search"
        autocomplete="off"
        aria-controls={`${id}-found`}
        placeholder={`Search ${options.length} values`}
        value={typed}
        onInput={(event) => setTyped(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.ctrlKey || event.metaKey) return
          event.preventDefault()
          if (matching[0]) onChange(matching[0].value)
        }}
      />
      <select
        id={`${id}-found`}
        aria-label="Matching values"
        size={6}
        value={String(index)}
        onChange={(event) => onChange(options[Number(event.currentTarget.value)]?.value)}
      >
        {matching.slice(0, SHOWN).map(({ label, at }) => (
          <option key={at} value={String(at)}>
            {label}
          </option>
        ))}
      </select>
      {matching.length > SHOWN && (
        <p class="faint">{matching.length - SHOWN} more: type to find them.</p>
      )}
      {matching.length === 0 && <p class="faint">No value matches.</p>}
    </div>
  )
}

function indexOf(options: readonly Option[], value: unknown): number {
  if (value === undefined) return -1
  const same = options.findIndex((option) => option.value === value)
  if (same >= 0 || typeof value !== 'object') return same
  const json = JSON.stringify(value)
  return options.findIndex((option) => JSON.stringify(option.value) === json)
}
