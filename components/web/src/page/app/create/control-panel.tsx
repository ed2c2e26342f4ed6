/** What a chip opens: the choices of one argument. */
import { asArray } from '../net/api.ts'
import type { Control } from './image-tool.ts'
import { StartImage } from './start-image.tsx'

interface ControlPanelProps {
  control: Control
  value: unknown
  /** The argument for the mask of the start image. */
  mask: Control | undefined
  /** With nothing for the default. */
  onChange: (value: unknown) => void
}

/** A longer list is a menu. */
const MOST_BUTTONS = 14
const MOST_NUMBERS = 8

export function ControlPanel(props: ControlPanelProps) {
  const { control, value, mask, onChange } = props
  const { name, label, kind, choices, about } = control
  if (kind === 'image') return <StartImage {...{ value, mask, onChange }} />
  const numbers = kind === 'number' ? numbersOf(control) : []
  if (
    kind === 'choices' ||
    (kind === 'choice' && choices.length <= MOST_BUTTONS) ||
    numbers.length > 0
  ) {
    const many = kind === 'choices'
    const list = asArray(value)
    const offered = numbers.length > 0 ? numbers : choices
    const standard = control.schema['default']
    return (
      <fieldset class="control-field">
        <legend class="unseen">{label}</legend>
        <div class="options">
          {offered.map((choice) => (
            <label class="option" key={choice}>
              <input
                type={many ? 'checkbox' : 'radio'}
                name={name}
                checked={many ? list.includes(choice) : (value ?? standard) === choice}
                onChange={(event) => {
                  if (!many) return onChange(choice === standard ? undefined : choice)
                  const next = event.currentTarget.checked
                    ? [...list, choice]
                    : list.filter((other) => other !== choice)
                  onChange(next.length > 0 ? next : undefined)
                }}
              />
              {choice}
            </label>
          ))}
        </div>
        <p class="about">{about}</p>
      </fieldset>
    )
  }
  return <OneField {...props} />
}

function OneField({ control, value, onChange }: ControlPanelProps) {
  const { label, kind, choices, about, schema } = control
  const typed = (text: string) => onChange(text.trim() === '' ? undefined : text)
  const text = typeof value === 'string' || typeof value === 'number' ? String(value) : ''
  return (
    <label class="control-field">
      <span class="control-label">{label}</span>
      {kind === 'choice' && (
        <select value={text} onChange={(event) => typed(event.currentTarget.value)}>
          <option value="">Default</option>
          {choices.map((choice) => (
            <option key={choice}>{choice}</option>
          ))}
        </select>
      )}
      {kind === 'number' && (
        <input
          type="number"
          value={text}
          placeholder="Random"
          min={limitOf(schema['minimum'])}
          max={limitOf(schema['maximum'])}
          step={schema['type'] === 'integer' ? 1 : 'any'}
          onInput={({ currentTarget: { value: typed, validity } }) =>
            onChange(typed === '' || !validity.valid ? undefined : Number(typed))
          }
        />
      )}
      {kind === 'text' && (
        <textarea rows={2} value={text} onInput={(event) => typed(event.currentTarget.value)} />
      )}
      {kind === 'flag' && (
        <span>
          <input
            type="checkbox"
            checked={value === true}
            onChange={({ currentTarget: { checked } }) => onChange(checked || undefined)}
          />{' '}
          yes
        </span>
      )}
      <span class="about">{about}</span>
    </label>
  )
}

/** All of them, where there are few. */
function numbersOf({ schema }: Control): number[] {
  const { minimum, maximum, type } = schema
  if (type !== 'integer' || typeof minimum !== 'number' || typeof maximum !== 'number') return []
  const count = maximum - minimum + 1
  return count > MOST_NUMBERS ? [] : Array.from({ length: count }, (_, at) => minimum + at)
}

function limitOf(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined
}
