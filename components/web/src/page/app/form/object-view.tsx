/** An object: its fields, and the properties that the schema does not name. */
import { useState } from 'preact/hooks'
import { Icon } from '../icons.tsx'
import { useForm } from './form-context.ts'
import { type InputProps, NodeView } from './node-view.tsx'
import { initial } from './schema/initial.ts'
import { fits } from './schema/resolve.ts'
import type { Extra, Field, Shape } from './schema/shape.ts'
import { isObject, own, pathTo, withProperty } from './schema/values.ts'

type ObjectProps = InputProps & { shape: Extract<Shape, { kind: 'object' }> }

export function ObjectView(props: ObjectProps) {
  const { schema, value, required, isItem, depth, onChange, shape, label = shape.label } = props
  const { root } = useForm()
  if (value === undefined && !required && !isItem && depth > 0) {
    return (
      <button
        type="button"
        class="small add"
        onClick={() => onChange(initial(schema, root, { required: true }))}
      >
        <Icon name="plus" /> Add {label || 'it'}
      </button>
    )
  }
  return (
    <div class="nested" data-depth={depth}>
      <Properties {...props} />
      {!required && !isItem && depth > 0 && (
        <button type="button" class="small bare remove" onClick={() => onChange(undefined)}>
          <Icon name="bin" /> Remove {label}
        </button>
      )}
    </div>
  )
}

/** Other properties that are shown; more are edited as JSON. */
const MOST_EXTRA = 50

/** @param atOnce how many fields are shown at once; those that are needed always are. */
export function Properties({
  shape,
  value,
  path,
  depth,
  onChange,
  atOnce = Infinity,
}: ObjectProps & { atOnce?: number }) {
  const { fields, extra } = shape
  const named = new Set(fields.map(({ name }) => name))
  const others = isObject(value) ? Object.keys(value).filter((key) => !named.has(key)) : []
  const change = (key: string) => (next: unknown) => onChange(withProperty(value, key, next))
  const view = ({ name, schema, required }: Field) => (
    <NodeView
      key={name}
      {...{ schema, name, required }}
      path={pathTo(path, name)}
      value={own(value, name)}
      depth={depth + 1}
      onChange={change(name)}
    />
  )
  const shown = Math.max(fields.filter(({ required }) => required).length, atOnce)
  const rest = fields.slice(shown)
  return (
    <>
      {fields.slice(0, shown).map(view)}
      {rest.length > 0 && (
        <details class="more">
          <summary>
            {rest.length} more {rest.length === 1 ? 'setting' : 'settings'}
          </summary>
          {rest.map(view)}
        </details>
      )}
      {others.slice(0, MOST_EXTRA).map((key) => (
        <div class="extra" key={key}>
          <NodeView
            schema={schemaFor(extra, key)}
            name={key}
            label={key}
            required
            path={pathTo(path, key)}
            value={own(value, key)}
            depth={depth + 1}
            onChange={change(key)}
          />
          <button
            type="button"
            class="bare"
            aria-label={`Remove ${key}`}
            onClick={() => onChange(withProperty(value, key, undefined))}
          >
            <Icon name="close" />
          </button>
        </div>
      ))}
      {others.length > MOST_EXTRA && (
        <p class="about">{others.length - MOST_EXTRA} more properties: edit them as JSON.</p>
      )}
      {extra && <AddProperty {...{ extra, value, onChange }} taken={[...named, ...others]} />}
    </>
  )
}

/** The schema of a property that has none of its own. */
function schemaFor(extra: Extra | undefined, key: string): unknown {
  if (!extra) return true
  // The pattern comes from a stranger: it is matched within the limits of the validator.
  const matching = extra.patterns.filter(([pattern]) => fits({ pattern }, key, {}))
  if (matching.length === 1) return matching[0]?.[1]
  if (matching.length > 1) return { allOf: matching.map(([, schema]) => schema) }
  return extra.rest
}

interface AddProps {
  extra: Extra
  value: unknown
  taken: readonly string[]
  onChange: (value: unknown) => void
}

function AddProperty({ extra, value, taken, onChange }: AddProps) {
  const { id, root } = useForm()
  const [name, setName] = useState('')
  const [problem, setProblem] = useState('')
  const add = () => {
    const schema = schemaFor(extra, name)
    if (taken.includes(name)) return setProblem(`There is a property "${name}" already.`)
    if (schema === false) {
      const patterns = extra.patterns.map(([pattern]) => pattern).join(' or ')
      return setProblem(`The name must match ${patterns}.`)
    }
    onChange(withProperty(value, name, initial(schema, root, { required: true }) ?? ''))
    setName('')
    setProblem('')
  }
  return (
    <div class="field">
      <div class="add-property">
        <input
          aria-label="Name of another property"
          placeholder="Name of another property"
          autocomplete="off"
          value={name}
          aria-invalid={problem !== ''}
          aria-describedby={problem === '' ? undefined : `${id}-name-problem`}
          onInput={(event) => setName(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.ctrlKey || event.metaKey) return
            event.preventDefault()
            add()
          }}
        />
        <button type="button" class="small" onClick={add}>
          <Icon name="plus" /> Add
        </button>
      </div>
      {problem !== '' && (
        <p class="problem" id={`${id}-name-problem`} role="alert">
          {problem}
        </p>
      )}
    </div>
  )
}
