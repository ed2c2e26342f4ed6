/** JSON in a box, for what has no form. */
import { useEffect, useState } from 'preact/hooks'
import type { InputProps } from '../node-view.tsx'
import { Unreadable } from '../schema/values.ts'

export function JsonInput({ value, attributes, onChange }: InputProps) {
  const [text, setText] = useState(() => written(value))
  useEffect(() => {
    // The value may have been changed elsewhere; what is typed here may be formatted otherwise.
    if (written(valueOf(text)) !== written(value)) setText(written(value))
  }, [value])
  return (
    <textarea
      {...attributes}
      class="code"
      rows={Math.min(Math.max(text.split('\n').length, 3), 12)}
      value={text}
      spellcheck={false}
      onInput={(event) => {
        setText(event.currentTarget.value)
        onChange(valueOf(event.currentTarget.value))
      }}
    />
  )
}

function valueOf(text: string): unknown {
  if (text.trim() === '') return undefined
  try {
    return JSON.parse(text)
  } catch {
    return new Unreadable(text)
  }
}

function written(value: unknown): string {
  if (value instanceof Unreadable) return value.text
  return value === undefined ? '' : JSON.stringify(value, null, 2)
}
