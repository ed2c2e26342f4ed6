/** A value that has one of several forms: which one, and its fields. */
import { useState } from 'preact/hooks'
import { idOf, useForm } from './form-context.ts'
import { type InputProps, NodeView } from './node-view.tsx'
import { formOf, initial } from './schema/initial.ts'
import type { Shape } from './schema/shape.ts'
import { isObject, own } from './schema/values.ts'

type FormsProps = InputProps & { shape: Extract<Shape, { kind: 'forms' }> }

export function FormsView({
  shape,
  value,
  path,
  name,
  required,
  depth,
  onChange,
  label,
}: FormsProps) {
  const { id: form, root } = useForm()
  const { forms } = shape
  const [chosen, setChosen] = useState(-1)
  // What the user has chosen stands as long as the value may be of that form.
  const index =
    chosen >= 0 && value !== undefined
      ? chosen
      : value === undefined
        ? -1
        : formOf(forms, value, root)
  const current = forms[index]
  const choose = (next: number) => {
    setChosen(next)
    const { schema } = forms[next] ?? {}
    if (!schema) return onChange(undefined)
    const kept = sharedValue(schema, value, shapeFields(schema))
    onChange(initial(schema, root, { given: kept, required: true }) ?? '')
  }
  const id = `${idOf(form, path)}-form`
  return (
    <div class="forms">
      <label class="unseen" for={id}>
        Form of {label ?? shape.label}
      </label>
      <select
        id={id}
        value={String(index)}
        onChange={(event) => choose(Number(event.currentTarget.value))}
      >
        {(!required || index < 0) && <option value="-1">not chosen</option>}
        {forms.map(({ label: title }, at) => (
          <option key={at} value={String(at)}>
            {title}
          </option>
        ))}
      </select>
      {current && (
        <NodeView
          key={index}
          schema={current.schema}
          {...{ name, path, value, onChange }}
          label={current.label}
          required
          depth={depth + 1}
        />
      )}
    </div>
  )
}

/** Names of the properties that a form has. */
function shapeFields(schema: unknown): string[] {
  const properties = own(schema, 'properties')
  return isObject(properties) ? Object.keys(properties) : []
}

/** What another form has in common with the value is kept; its constants are its own. */
function sharedValue(schema: unknown, value: unknown, names: string[]): unknown {
  if (!isObject(value) || names.length === 0) return undefined
  const properties = own(schema, 'properties')
  const isConstant = (name: string) => {
    const property = own(properties, name)
    return (
      isObject(property) && (Object.hasOwn(property, 'const') || Object.hasOwn(property, 'enum'))
    )
  }
  return Object.fromEntries(
    Object.entries(value).filter(([name]) => names.includes(name) && !isConstant(name)),
  )
}
