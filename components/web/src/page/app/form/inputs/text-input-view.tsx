/** A text, with the input for its format. What is stored is never changed by being shown. */
import { useState } from 'preact/hooks'
import type { InputProps } from '../node-view.tsx'
import { useForm } from '../form-context.ts'
import type { TextInput } from '../schema/text-input.ts'
import { Suggested } from './suggested.tsx'

type TextProps = InputProps & { text: TextInput }

export function TextInputView(props: TextProps) {
  const { text, value, attributes, onChange } = props
  const { complete } = useForm()
  const [isShown, setShown] = useState(false)
  const written =
    typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value)
  const change = (next: string) => onChange(next === '' ? undefined : next)
  const onInput = (event: { currentTarget: { value: string } }) => change(event.currentTarget.value)
  const common = { ...attributes, value: written, onInput, autocomplete: 'off' as const }
  const hint = value === '' ? 'An empty text' : undefined
  switch (text.type) {
    case 'date-time':
      return <DateTime {...props} written={written} />
    case 'date':
    case 'time':
      return <DateOrTime {...props} written={written} />
    case 'password':
      return (
        <div class="beside">
          {isShown ? (
            <input {...common} type="text" />
          ) : (
            <input {...common} type="password" autocomplete="new-password" />
          )}
          <button
            type="button"
            class="small"
            aria-pressed={isShown}
            onClick={() => setShown(!isShown)}
          >
            Show
          </button>
        </div>
      )
    case 'color':
      return (
        <div class="beside">
          <input
            type="color"
            aria-label="Pick a colour"
            value={/^#[0-9a-f]{6}$/i.test(written) ? written : '#000000'}
            onInput={onInput}
          />
          <input {...common} type="text" placeholder="#rrggbb" />
        </div>
      )
    case 'email':
      return <input {...common} type="email" placeholder={hint} />
    case 'url':
      return <input {...common} type="url" placeholder="https://" />
  }
  if (text.isLong || written.includes('\n')) {
    return <textarea {...common} rows={3} placeholder={hint} />
  }
  if (!complete) return <input {...common} type="text" placeholder={hint} />
  return (
    <Suggested {...{ attributes, hint, written, complete }} name={props.name} onText={change} />
  )
}

type WrittenProps = TextProps & { written: string }

const DATE = /^\d{4}-\d\d-\d\d$/
const TIME = /^(\d\d:\d\d(:\d\d)?)(\.\d+)?Z$/i

function DateOrTime({ text, written, attributes, onChange }: WrittenProps) {
  const isTime = text.type === 'time'
  const [, time] = TIME.exec(written) ?? []
  const isOther = written !== '' && !(isTime ? time !== undefined : DATE.test(written))
  const change = (next: string) => {
    if (next === '') return onChange(undefined)
    onChange(isTime && !isOther ? `${next.length === 5 ? `${next}:00` : next}Z` : next)
  }
  const common = {
    ...attributes,
    autocomplete: 'off' as const,
    onInput: (event: { currentTarget: { value: string } }) => change(event.currentTarget.value),
  }
  return (
    <>
      {isOther ? (
        <input {...common} type="text" value={written} />
      ) : isTime ? (
        <input {...common} type="time" step={1} value={time ?? ''} />
      ) : (
        <input {...common} type="date" value={written} />
      )}
      {isTime && !isOther && <Sent written={written} />}
    </>
  )
}

/** Shown in the user's own time, and sent as the same moment. */
function DateTime({ written, attributes, onChange }: WrittenProps) {
  const moment = written === '' ? undefined : new Date(written)
  const isOther =
    moment !== undefined && (isNaN(moment.getTime()) || !/T.*(Z|[+-]\d\d:\d\d)$/i.test(written))
  const change = (next: string) => {
    if (next === '') return onChange(undefined)
    const changed = new Date(next)
    onChange(isOther || isNaN(changed.getTime()) ? next : changed.toISOString())
  }
  const common = {
    ...attributes,
    autocomplete: 'off' as const,
    onInput: (event: { currentTarget: { value: string } }) => change(event.currentTarget.value),
  }
  return (
    <>
      {isOther ? (
        <input {...common} type="text" value={written} />
      ) : (
        <input {...common} type="datetime-local" step={1} value={moment ? local(moment) : ''} />
      )}
      {!isOther && <Sent written={written} />}
    </>
  )
}

function Sent({ written }: { written: string }) {
  return written === '' ? null : <p class="faint small-text">Sent as {written}</p>
}

function local(moment: Date): string {
  const shifted = new Date(moment.getTime() - moment.getTimezoneOffset() * 60_000)
  return shifted.toISOString().slice(0, 19)
}
