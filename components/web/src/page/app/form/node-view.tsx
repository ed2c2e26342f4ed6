/** One value with its label, what it is for, its limits, and what is wrong with it. */
import type { ComponentChildren } from 'preact'
import { useMemo } from 'preact/hooks'
import { idOf, useForm } from './form-context.ts'
import { Checks } from './inputs/checks.tsx'
import { Choice } from './inputs/choice.tsx'
import { Chips } from './inputs/chips.tsx'
import { FileInput } from './inputs/file-input.tsx'
import { FormsView } from './forms-view.tsx'
import { JsonInput } from './inputs/json-input.tsx'
import { ListView } from './list-view.tsx'
import { NumberInput } from './inputs/number-input.tsx'
import { ObjectView } from './object-view.tsx'
import { type Shape, shapeOf, worded } from './schema/shape.ts'
import { TextInputView } from './inputs/text-input-view.tsx'

export interface NodeProps {
  schema: unknown
  /** Of the property; empty for an item. */
  name: string
  /** In place of the name. */
  label?: string
  path: string
  value: unknown
  required: boolean
  /** It is one of a list, which has the button that removes it. */
  isItem?: boolean
  /** Objects around this one. */
  depth: number
  onChange: (value: unknown) => void
}

export interface InputProps extends NodeProps {
  shape: Shape
  /** For the element that takes the input. */
  attributes: Record<string, unknown>
}

/** A form that goes deeper is hard to read, and a hostile schema has no end. */
const DEEPEST = 12
const GROUPS = ['object', 'list', 'forms', 'checks']

export function NodeView(props: NodeProps) {
  const { schema, name, path, value, required, depth, onChange } = props
  const { id: form, root, problems } = useForm()
  const found = useMemo(() => shapeOf(schema, root, name, value), [schema, root, name, value])
  const shape: Shape =
    depth > DEEPEST && GROUPS.includes(found.kind)
      ? { ...found, kind: 'json', reason: 'it is nested too deeply for a form' }
      : found
  const id = idOf(form, path)
  const problem = problems.get(path)
  const notes = [...shape.limits, ...noteOf(shape)]
  const described = [
    problem !== undefined && `${id}-problem`,
    shape.about !== '' && `${id}-about`,
    notes.length > 0 && `${id}-limits`,
  ]
  const describedBy = described.filter((one) => one !== false).join(' ') || undefined
  const isGroup = GROUPS.includes(shape.kind)
  const label = props.label ?? shape.label
  const isNull = value === null && shape.isNullable
  const input: InputProps = {
    ...props,
    // A new item of a list is null until it is something else.
    value: value === null && !isNull && shape.kind !== 'json' ? undefined : value,
    shape,
    attributes: {
      id,
      name: name || path,
      'aria-describedby': describedBy,
      'aria-invalid': problem !== undefined,
      'aria-required': required || undefined,
    },
  }
  const marks = (
    <>
      {required && (
        <span class="required" aria-hidden="true">
          needed
        </span>
      )}
      {shape.isDeprecated && <span class="badge">deprecated</span>}
    </>
  )
  const below = (
    <>
      {problem !== undefined && (
        <p class="problem" id={`${id}-problem`}>
          {problem}
        </p>
      )}
      {shape.about !== '' && (
        <p class="about" id={`${id}-about`}>
          {shape.about}
        </p>
      )}
      {notes.length > 0 && (
        <p class="limits" id={`${id}-limits`}>
          {notes.join(' · ')}
        </p>
      )}
      <Examples {...{ shape, onChange }} />
    </>
  )
  const nullBox = shape.isNullable && (
    <label class="null">
      <input
        type="checkbox"
        checked={isNull}
        aria-label={`${label} is null`}
        onChange={(event) => onChange(event.currentTarget.checked ? null : undefined)}
      />
      null
    </label>
  )
  if (shape.kind === 'flag') {
    return (
      <div class="field flag">
        <label>
          <input
            {...input.attributes}
            aria-required={undefined}
            type="checkbox"
            checked={value === true}
            onChange={(event) => onChange(event.currentTarget.checked)}
          />
          <span>{label}</span> {marks}
        </label>
        {!required && value !== undefined && (
          <button type="button" class="linkish unset" onClick={() => onChange(undefined)}>
            Leave out {label}
          </button>
        )}
        {nullBox}
        {below}
      </div>
    )
  }
  if (isGroup) {
    return (
      <fieldset
        class="field group"
        id={id}
        tabIndex={-1}
        aria-describedby={describedBy}
        data-invalid={problem !== undefined || undefined}
      >
        <legend>
          {label} {marks}
        </legend>
        {nullBox}
        {below}
        {!isNull && <Group {...input} />}
      </fieldset>
    )
  }
  return (
    <div class="field">
      <div class="field-head">
        {shape.kind === 'const' && required ? (
          <span class="label" id={`${id}-label`}>
            {label}
          </span>
        ) : (
          <label for={id}>
            {label} {marks}
          </label>
        )}
        {nullBox}
      </div>
      {isNull ? <p class="faint">null</p> : <Control {...input} />}
      {below}
    </div>
  )
}

function Group(input: InputProps) {
  const { shape } = input
  if (shape.kind === 'object') return <ObjectView {...input} shape={shape} />
  if (shape.kind === 'list') return <ListView {...input} shape={shape} />
  if (shape.kind === 'forms') return <FormsView {...input} shape={shape} />
  if (shape.kind === 'checks') return <Checks {...input} options={shape.options} />
  return null
}

function Control(input: InputProps): ComponentChildren {
  const { shape, value, attributes, required, onChange } = input
  const { mayUpload } = useForm()
  switch (shape.kind) {
    case 'const':
      if (required) return <code class="const">{worded(shape.value)}</code>
      return <Choice {...input} options={[{ value: shape.value, label: worded(shape.value) }]} />
    case 'choice':
      return <Choice {...input} options={shape.options} />
    case 'number':
      return <NumberInput {...input} shape={shape} />
    case 'text': {
      const { type } = shape.input
      // A tool that takes only the address of a file that was sent gets no file of a form that cannot send it.
      const isFile = mayUpload || shape.input.uploads !== 'always'
      if (isFile && (type === 'file' || type === 'picture')) {
        return <FileInput {...input} text={shape.input} />
      }
      return <TextInputView {...input} text={shape.input} />
    }
    case 'tags': {
      const values = Array.isArray(value) ? value.map(worded) : []
      const change = (next: string[]) => onChange(next.length > 0 || required ? next : undefined)
      return <Chips attributes={attributes} values={values} onChange={change} />
    }
    default:
      return <JsonInput {...input} />
  }
}

function noteOf(shape: Shape): string[] {
  const { standard } = shape
  const reason =
    shape.kind === 'json' && shape.reason !== '' ? [`As JSON, because ${shape.reason}`] : []
  return standard === undefined ? reason : [`Default: ${shortened(worded(standard))}`, ...reason]
}

const SHOWN_EXAMPLES = 5
const LONGEST = 60

function Examples({ shape, onChange }: { shape: Shape; onChange: (value: unknown) => void }) {
  if (shape.examples.length === 0) return null
  return (
    <p class="examples">
      Try{' '}
      {shape.examples.slice(0, SHOWN_EXAMPLES).map((example, index) => (
        <button
          key={index}
          type="button"
          class="example"
          aria-label={`Use the example ${shortened(worded(example))}`}
          onClick={() => onChange(example)}
        >
          {shortened(worded(example))}
        </button>
      ))}
    </p>
  )
}

function shortened(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text
}
