/** A list of words: Enter or a comma adds one, Backspace in the empty field takes the last away. */
import { useState } from 'preact/hooks'
import { Icon } from '../../icons.tsx'

export interface ChipsProps {
  /** For the input: id, name, descriptions. */
  attributes: Record<string, unknown>
  values: readonly string[]
  onChange: (values: string[]) => void
}

export function Chips({ attributes, values, onChange }: ChipsProps) {
  const [typed, setTyped] = useState('')
  const add = () => {
    const value = typed.trim()
    if (value !== '') onChange([...values, value])
    setTyped('')
  }
  return (
    <div class="chips">
      {values.map((value, index) => (
        <span class="chip" key={index}>
          {value}
          <button
            type="button"
            aria-label={`Remove ${value}`}
            onClick={() => onChange(values.filter((_, at) => at !== index))}
          >
            <Icon name="close" />
          </button>
        </span>
      ))}
      <input
        {...attributes}
        value={typed}
        placeholder="Type and press Enter"
        autocomplete="off"
        onInput={(event) => setTyped(event.currentTarget.value)}
        onBlur={add}
        onKeyDown={(event) => {
          if (event.key === 'Enter' || event.key === ',') {
            event.preventDefault()
            add()
          } else if (event.key === 'Backspace' && typed === '') onChange(values.slice(0, -1))
        }}
      />
    </div>
  )
}
