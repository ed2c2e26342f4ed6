/** The fields of a schema, or the same value as JSON. */
import { useEffect, useMemo, useState } from 'preact/hooks'
import type { FieldProblem } from '../net/api.ts'
import { type Complete, FormProvider } from './form-context.ts'
import { NodeView } from './node-view.tsx'
import { Properties } from './object-view.tsx'
import { shapeOf } from './schema/shape.ts'
import { cleaned, isObject, type Json, Unreadable } from './schema/values.ts'

export interface SchemaFormProps {
  id: string
  schema: Json
  value: unknown
  problems: readonly FieldProblem[]
  isJson: boolean
  onChange: (value: unknown) => void
  complete?: Complete
  /** Whether files of it may be sent to this gateway by themselves. @default false */
  mayUpload?: boolean
  /** Fields shown at once. @default all */
  atOnce?: number
}

export function SchemaForm(props: SchemaFormProps) {
  const {
    id,
    schema,
    value,
    problems,
    isJson,
    onChange,
    complete,
    atOnce,
    mayUpload = false,
  } = props
  const byPath = useMemo(() => {
    const map = new Map<string, string>()
    for (const { path, message } of problems) {
      const known = map.get(path)
      map.set(path, known === undefined ? message : `${known}; ${message}`)
    }
    return map
  }, [problems])
  const context = useMemo(
    () => ({ id, root: schema, problems: byPath, mayUpload, ...(complete && { complete }) }),
    [id, schema, byPath, complete, mayUpload],
  )
  if (isJson) return <JsonEditor {...{ id, value, problems, onChange }} />
  const shape = shapeOf(schema, schema, '', value)
  const node = { schema, name: '', path: '', value, required: true, depth: 0, onChange }
  return (
    <FormProvider value={context}>
      {shape.kind === 'object' ? (
        <Properties {...node} depth={0} attributes={{}} shape={shape} {...(atOnce && { atOnce })} />
      ) : (
        <NodeView {...node} label="Arguments" depth={0} />
      )}
      {shape.kind === 'object' && shape.fields.length === 0 && !shape.extra && (
        <p class="about">It takes no arguments.</p>
      )}
    </FormProvider>
  )
}

type JsonEditorProps = Pick<SchemaFormProps, 'id' | 'value' | 'problems' | 'onChange'>

function JsonEditor({ id, value, problems, onChange }: JsonEditorProps) {
  const [text, setText] = useState(() => writtenAs(value))
  useEffect(() => {
    const typed = readJson(text)
    const same =
      typed instanceof Unreadable
        ? value instanceof Unreadable
        : writtenAs(typed) === writtenAs(value)
    if (!same) setText(writtenAs(value))
  }, [value])
  const problem = value instanceof Unreadable ? reasonOf(value.text) : ''
  return (
    <div class="field json-editor">
      <label for={`${id}-json`}>Arguments as JSON</label>
      <textarea
        id={`${id}-json`}
        class="code"
        rows={Math.min(Math.max(text.split('\n').length + 1, 8), 24)}
        spellcheck={false}
        value={text}
        aria-invalid={problem !== '' || problems.length > 0}
        aria-describedby={problem === '' ? undefined : `${id}-json-problem`}
        onInput={(event) => {
          setText(event.currentTarget.value)
          onChange(readJson(event.currentTarget.value))
        }}
      />
      {problem !== '' && (
        <p class="problem" id={`${id}-json-problem`}>
          {problem}
        </p>
      )}
    </div>
  )
}

function writtenAs(value: unknown): string {
  if (value instanceof Unreadable) return value.text
  return JSON.stringify(cleaned(value).value ?? {}, null, 2)
}

function readJson(text: string): unknown {
  try {
    const value: unknown = text.trim() === '' ? {} : JSON.parse(text)
    return isObject(value) ? value : new Unreadable(text)
  } catch {
    return new Unreadable(text)
  }
}

/** Browsers say where it is wrong in words of their own; the position in them becomes a line. */
function reasonOf(text: string): string {
  try {
    JSON.parse(text)
    return 'Arguments are an object: {"name": "value"}.'
  } catch (error) {
    const message = error instanceof Error ? error.message : ''
    const [, position] = /position (\d+)/.exec(message) ?? []
    const [, line] = /line (\d+)/.exec(message) ?? []
    const at = line ?? (position && String(text.slice(0, Number(position)).split('\n').length))
    return at === undefined ? 'This is not JSON.' : `This is not JSON: look at line ${at}.`
  }
}
