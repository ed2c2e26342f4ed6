/** A number. What is not a number yet stays as it was typed, and is reported when the form is sent. */
import { useEffect, useState } from 'preact/hooks'
import type { InputProps } from '../node-view.tsx'
import type { Shape } from '../schema/shape.ts'

type NumberProps = InputProps & { shape: Extract<Shape, { kind: 'number' }> }

export function NumberInput({ shape, value, attributes, onChange }: NumberProps) {
  const [text, setText] = useState(() => written(value))
  useEffect(() => {
    if (valueOf(text) !== value) setText(written(value))
  }, [value])
  return (
    <input
      {...attributes}
      // An input of type "number" hides what is not a number.
      type="text"
      inputMode={shape.isInteger && (shape.min ?? -1) >= 0 ? 'numeric' : 'decimal'}
      autocomplete="off"
      value={text}
      onInput={(event) => {
        setText(event.currentTarget.value)
        onChange(valueOf(event.currentTarget.value))
      }}
      onKeyDown={(event) => {
        const step = event.key === 'ArrowUp' ? 1 : event.key === 'ArrowDown' ? -1 : 0
        if (step === 0 || (typeof value !== 'number' && value !== undefined)) return
        event.preventDefault()
        const next = (value ?? 0) + step * (shape.step ?? 1)
        const least = Math.max(next, shape.min ?? -Infinity)
        onChange(Number(Math.min(least, shape.max ?? Infinity).toPrecision(15)))
      }}
    />
  )
}

function valueOf(text: string): unknown {
  const trimmed = text.trim()
  if (trimmed === '') return undefined
  const value = Number(trimmed)
  const isExact =
    Number.isFinite(value) &&
    !(Number.isInteger(value) && !Number.isSafeInteger(value) && /^-?\d+$/.test(trimmed))
  return isExact ? value : trimmed
}

function written(value: unknown): string {
  if (value === undefined) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}
