/** One field with its label, what it is for, and what is wrong with it. */
import type { ComponentChildren } from 'preact'
import { asArray } from '../net/api.ts'
import { Chips } from './chips.tsx'
import { type Field, worded } from './fields.ts'

export interface FieldViewProps {
  field: Field
  /** Prefix of ids, different for each form on the page. */
  form: string
  value: unknown
  problem: string | undefined
  onChange: (value: unknown) => void
}

export function FieldView(props: FieldViewProps) {
  const { field, form, problem, value, onChange } = props
  const { name, label, kind, about, required, choices } = field
  const id = `${form}-${name}`
  const described = [about && `${id}-about`, problem && `${id}-problem`].filter(Boolean).join(' ')
  const common = {
    id,
    name,
    'aria-describedby': described || undefined,
    'aria-invalid': problem !== undefined,
    'aria-required': required || undefined,
  }
  const below = <Below {...{ id, about, problem }} />
  const mark = required && (
    <span class="required" aria-hidden="true">
      needed
    </span>
  )
  if (kind === 'flag') {
    return (
      <div class="field flag">
        <label>
          <input
            {...common}
            aria-required={undefined}
            type="checkbox"
            checked={value === true}
            onChange={(event) => onChange(event.currentTarget.checked)}
          />
          <span>{label}</span>
        </label>
        {below}
      </div>
    )
  }
  if (kind === 'choices') {
    const chosen = asArray(value)
    return (
      <fieldset class="field" aria-describedby={common['aria-describedby']}>
        <legend>
          {label} {mark}
        </legend>
        <div class="options">
          {choices.map((choice) => (
            <label class="option" key={worded(choice)}>
              <input
                type="checkbox"
                checked={chosen.includes(choice)}
                onChange={(event) =>
                  onChange(
                    event.currentTarget.checked
                      ? [...chosen, choice]
                      : chosen.filter((other) => other !== choice),
                  )
                }
              />
              {worded(choice)}
            </label>
          ))}
        </div>
        {below}
      </fieldset>
    )
  }
  return (
    <div class="field">
      <Label {...{ id, mark }}>{label}</Label>
      {kind === 'list' ? (
        <Chips attributes={common} values={asArray(value).map(worded)} onChange={onChange} />
      ) : (
        <Control {...props} common={common} />
      )}
      {below}
    </div>
  )
}

function Control({
  field,
  value,
  onChange,
  common,
}: FieldViewProps & { common: Record<string, unknown> }) {
  const { kind, choices, schema, required } = field
  const written = typeof value === 'string' ? value : ''
  const typed = (event: { currentTarget: { value: string } }) => onChange(event.currentTarget.value)
  if (kind === 'choice') {
    return (
      <select {...common} value={written} onChange={typed}>
        {!required && <option value="">not chosen</option>}
        {choices.map((choice) => (
          <option key={worded(choice)} value={worded(choice)}>
            {worded(choice)}
          </option>
        ))}
      </select>
    )
  }
  if (kind === 'text' || kind === 'json') {
    const className = kind === 'json' ? 'code' : undefined
    return (
      <textarea
        {...common}
        class={className}
        rows={3}
        value={written}
        onInput={typed}
        spellcheck={kind === 'text'}
      />
    )
  }
  const limits =
    kind === 'number'
      ? {
          type: 'number' as const,
          min: limit(schema['minimum']),
          max: limit(schema['maximum']),
          step: schema['type'] === 'integer' ? 1 : ('any' as const),
        }
      : { type: 'text' as const }
  return <input {...common} {...limits} value={written} onInput={typed} autocomplete="off" />
}

function Label({ id, mark, children }: { id: string; mark: ComponentChildren; children: string }) {
  return (
    <label for={id}>
      {children} {mark}
    </label>
  )
}

function Below({ id, about, problem }: { id: string; about: string; problem: string | undefined }) {
  return (
    <>
      {problem !== undefined && (
        <p class="problem" id={`${id}-problem`}>
          {problem}
        </p>
      )}
      {about !== '' && (
        <p class="about" id={`${id}-about`}>
          {about}
        </p>
      )}
    </>
  )
}

function limit(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined
}
